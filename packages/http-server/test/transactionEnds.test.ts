/** Transactions of the application that end while an invoice is made in them: the create was not awaited. */
import { describe, expect, inject, it } from "vitest"
import { openLive } from "./support/liveShop.ts"

const isPostgres = inject("database") === "postgres"

/**
 * A client that ends the transaction behind one of the engine's statements, as its user's other code might, at the
 * latest behind the last, which releases the savepoint. The one for clocks that were moved does not count: it comes
 * every half second.
 */
const endedBehind = (client: object, behind: number, end: string) => {
  const { query } = client as { readonly query: (statement: unknown) => Promise<unknown> }
  let count = 0
  let state: "before it ends" | "ended" | "ended behind the last" = "before it ends"
  return {
    isLate: () => state === "ended behind the last",
    client: {
      query: (statement: unknown) => {
        const answer = query.call(client, statement)
        const text = JSON.stringify(statement)
        const isLast = text.includes("RELEASE SAVEPOINT")
        if (!text.includes("clock_ahead_ms > 0")) count++
        if (state === "before it ends" && (count === behind || isLast)) {
          state = isLast ? "ended behind the last" : "ended"
          void query.call(client, end).catch(() => {})
        }
        return answer
      }
    }
  }
}

describe.runIf(isPostgres)("an invoice in a transaction that ends while it is made", () => {
  it("is written whole, or not at all, and its create does not say that nothing was", async () => {
    const { engine, start, begin, provider, tenant } = await openLive()
    const limited = await start({ agents: false, provider, settings: { sandbox: { invoicesPerDay: 1000 } } })
    for (const mode of ["sandbox", "live"] as const) {
      const shop = limited.of({ ...tenant, mode })
      const create = async (behind: number, end: string) => {
        const tx = await begin()
        const ending = endedBehind(tx.raw, behind, end)
        const create = shop.invoices.create({ amount: 10 }, { tx: ending.client })
        const asked = await create.catch((error) => error)
        await tx.commit()
        return { asked, isLate: ending.isLate() }
      }
      // It looks up what is remembered then.
      const known = [(await create(1, "")).asked.id]
      for (const end of ["rollback", "commit", "rollback; begin"]) {
        for (let behind = 1, wasLate = false; !wasLate; behind++) {
          const { asked, isLate } = await create(behind, end)
          wasLate = isLate
          const made = (await shop.invoices.list()).invoices.map(({ id }) => id).filter((id) => !known.includes(id))
          const case_ = `${mode}, ${end} behind ${behind}`
          if (end === "commit" && made.length > 0) expect(made, case_).toEqual([asked.invoiceId ?? asked.id])
          else expect(made, case_).toEqual([])
          if (made.length > 0 && !isLate) expect(asked.code, case_).toBe("service_unavailable")
          if (!isLate) expect(["transaction_not_open", "service_unavailable"], case_).toContain(asked.code)
          known.push(...made)
        }
      }
      expect(known.length).toBeGreaterThan(2)
    }
    expect(await engine.verify()).toEqual([])
  })
})
