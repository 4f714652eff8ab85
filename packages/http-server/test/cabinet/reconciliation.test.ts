/** An accountant closes a month in a real browser: five planted differences, and what becomes of each. */
import { ReconciliationRuns } from "@tolem/core/reconciliation/ReconciliationRuns"
import { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { dayOf } from "@tolem/core/value/Calendar"
import { chromiumPath, needsChromium, type OpenBrowser, openBrowser } from "@tolem/testing-harness/Browser"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Live, live } from "../live/cashier.ts"
import { fits, openScreen } from "../support/cabinet.ts"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"

const dayMs = 86_400_000

describe.skipIf(chromiumPath === null)(`an accountant closes a month${needsChromium}`, () => {
  let world: Live
  let browser: OpenBrowser
  let accountant: Person
  let day: string
  beforeAll(async () => {
    world = await live(2000)
    browser = await openBrowser()
    accountant = await logIn(world.service, "77000000081")
    await join(world.service, world.organizationId, accountant, "accountant")
    await fetch(`${world.service.url}/cabinet/`, { headers: { accept: "text/html" } })
    day = dayOf(world.service.time.now)
    await plant()
    world.pass(dayMs)
    await compare()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  /** Five payments, and five differences between the two sides. */
  const plant = async () => {
    const { bank, create, look, payments, service } = world
    const reference = (id: unknown) => payments().find(({ ours }) => ours === id)!.reference
    const paid: Array<unknown> = []
    for (let n = 0; n < 5; n++) {
      const made = await create({ amount: 5000, description: `Order ${n}` })
      world.pay(made)
      await look(made)
      paid.push(made.body["id"])
    }
    const unnoticed = await create({ amount: 700 })
    // The bank knows of its payment a moment before we ask.
    world.pay(unnoticed)
    const put = (what: Parameters<typeof bank.control.plant>[0]) => bank.control.plant(what, service.time.now)
    put({ does: "hidden", reference: `${reference(paid[0])}-paid` })
    put({ does: "amount", reference: `${reference(paid[1])}-paid`, amount: 499_000 })
    const cashier = "77010000000"
    put({ does: "extra", cashier, kind: "payment", reference: "m-9", payment: "p-9", amount: 90_000 })
    const refund = { kind: "refund", reference: "r-7", payment: reference(paid[3]), amount: 100_000 } as const
    put({ does: "extra", cashier, ...refund })
  }

  /** What the agent does with a day that is due. */
  const compare = () => {
    const { cashier, organizationId, service } = world
    const of = { organizationId, connectionId: cashier.id, day }
    const now = service.time.now
    const compared = Effect.gen(function* () {
      const row = yield* (yield* ReconciliationStore).ask(of, now)
      return yield* (yield* ReconciliationRuns).run(row)
    })
    return service.run(compared)
  }

  const open = async (view: object = {}) => {
    const screen = await openScreen(
      browser,
      world.service.url,
      accountant,
      `${world.organizationId}/reconciliation`,
      view
    )
    await screen.page.clock.setFixedTime(world.service.time.now)
    await screen.page.reload()
    return screen
  }

  it("finds all five differences, asks the provider about one, and closes the others with notes", async () => {
    const { page, troubles, close } = await open({ width: 1280 })
    const differences = page.getByRole("region", { name: "Differences" })
    const rows = differences.getByRole("listitem")
    await expect.poll(() => rows.count()).toBe(5)
    for (const text of [
      "Here, but not in the provider's list",
      "The amounts differ",
      "A payment that no invoice knows",
      "Paid at the provider, not here",
      "A refund that was made elsewhere"
    ]) {
      await expect.poll(() => rows.filter({ hasText: text }).count()).toBe(1)
    }
    await rows
      .filter({ hasText: "The amounts differ" })
      .getByText(/Here 5.000.*at the provider 4.990/)
      .waitFor()
    const days = page.getByRole("region", { name: "Days" })
    await days.getByText("5 differences").waitFor()
    await fits(page, "differences")

    await rows.filter({ hasText: "Paid at the provider" }).getByRole("button", { name: "Ask the provider" }).click()
    await page.getByText("Both sides are alike now").waitFor()
    await expect.poll(() => rows.count()).toBe(4)
    await rows.first().getByRole("button", { name: "Close with a note" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: "Close the difference" })
    await dialog.getByRole("button", { name: "Close with a note" }).click()
    await dialog.getByText("Write at least three characters.").waitFor()
    await fits(page, "note")
    await page.keyboard.press("Escape")
    for (let left = 4; left > 0; left--) {
      await rows.first().getByRole("button", { name: "Close with a note" }).click()
      await dialog.getByLabel("Note").fill("Agreed with the bank")
      await dialog.getByRole("button", { name: "Close with a note" }).click()
      await dialog.waitFor({ state: "detached" })
      await expect.poll(() => rows.count()).toBe(left - 1)
    }
    await differences.getByText("No difference is open in this month.").waitFor()
    await expect.poll(() => days.getByText("Closed", { exact: true }).count()).toBe(1)
    await differences.getByRole("button", { name: "All" }).click()
    await expect.poll(() => rows.count()).toBe(5)
    await expect.poll(() => rows.filter({ hasText: "Agreed with the bank" }).count()).toBe(4)
    await expect.poll(() => rows.filter({ hasText: "Settled with the provider" }).count()).toBe(1)
    await fits(page, "closed")
    expect(troubles).toEqual([])
    await close()
  })

  it("has the day compared again, and what was accepted stays closed", async () => {
    const { page, troubles, close } = await open({ width: 360, touch: true })
    const days = page.getByRole("region", { name: "Days" })
    await days.getByRole("button", { name: /^Compare again/ }).click()
    await days.getByText("Being compared").waitFor()
    await compare()
    await page.reload()
    await days.getByText("Closed", { exact: true }).waitFor()
    await page.getByText("No difference is open in this month.").waitFor()
    await page.evaluate("scrollTo(0, 0)")
    await fits(page, "on a phone")
    await page.getByRole("button", { name: "Earlier month" }).click()
    await page.getByText("No day of this month has been compared yet.").waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it("is refused what does not fit, and strangers find nothing", async () => {
    const { cashier, organizationId, service } = world
    const path = `/panel/orgs/${organizationId}/reconciliation`
    const { body } = await as(service, accountant, "GET", `${path}/differences?from=${day}&to=${day}`)
    const id = body["differences"]?.[0]?.["id"]
    const ask = async (method: string, address: string, sent?: unknown) =>
      outcomeOf(await as(service, accountant, method, `${path}${address}`, sent))
    expect(await ask("POST", `/differences/${id}/accept`, { note: "once more" })).toBe("409 work_item_closed")
    expect(await ask("POST", `/differences/${id}/accept`, { note: "x" })).toBe("422 invalid_note")
    expect(await ask("POST", "/differences/wki_none/check")).toBe("404 work_item_not_found")
    for (const [wrong, code] of [
      [{ day: "2026-02-30", connectionId: cashier.id }, "422 invalid_day"],
      [{ day: "2020-01-01", connectionId: cashier.id }, "422 invalid_day"],
      [{ day: dayOf(service.time.now), connectionId: cashier.id }, "422 invalid_day"],
      [{ day }, "422 invalid_connection_id"],
      [{ day, connectionId: "con_none" }, "404 connection_not_found"]
    ] as const) {
      expect(await ask("POST", "", wrong)).toBe(code)
    }
    expect(await ask("POST", "?mode=sandbox", { day, connectionId: cashier.id })).toBe("404 connection_not_found")
    expect(await ask("GET", "?from=2025-01-01&to=2025-12-31")).toBe("422 invalid_from")
    expect(await ask("GET", "/differences?status=odd")).toBe("422 invalid_status")
    const stranger = await logIn(service, "77000000082")
    expect(outcomeOf(await as(service, stranger, "GET", path))).toBe("403 forbidden")
    const journal = await service.run(
      Effect.flatMap(ReconciliationStore, (store) => store.item(organizationId, String(id)))
    )
    expect(journal).toMatchObject({ value: { resolvedBy: accountant.accountId } })
  })
})
