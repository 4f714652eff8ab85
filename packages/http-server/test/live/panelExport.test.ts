/** Invoices of the cabinet as a table for spreadsheets. */
import { Engine } from "@tolem/core/engine/Engine"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Tiyn } from "@tolem/core/value/Money"
import { creationOf } from "@tolem/testing/fixtures"
import { Deferred, Effect, Exit, Queue, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"
import { type Live, live } from "./cashier.ts"

let world: Live
let accountant: Person
let developer: Person
let till: Person

/** More than one part of what is read at once. */
const count = 1_203

beforeAll(async () => {
  world = await live()
  const { organizationId, cashier } = world
  accountant = await logIn(world.service, "77095000001")
  developer = await logIn(world.service, "77095000002")
  till = await logIn(world.service, "77095000003")
  await join(world.service, organizationId, accountant, "accountant")
  await join(world.service, organizationId, developer, "developer")
  await join(world.service, organizationId, till, "cashier")
  const at = Date.parse("2026-01-01T20:30:00Z")
  const made = Array.from({ length: count }, (_, index) =>
    creationOf({
      organizationId,
      mode: "live",
      connectionId: cashier.id,
      amount: Tiyn(100 * (index + 1) + 5),
      externalOrderId: `order ${index}`,
      description: index === 0 ? '=HYPERLINK("http://x","a, b")' : index === 1 ? "two\r\nlines" : null,
      createdAt: at + index,
      updatedAt: at + index
    })
  )
  await world.service.run(
    Effect.gen(function* () {
      const store = yield* InvoiceStore
      for (let from = 0; from < count; from += 100) yield* store.insertMany(made.slice(from, from + 100))
    })
  )
})
afterAll(() => world.stop())

const address = (query: string) => `/panel/orgs/${world.organizationId}/invoices.csv?mode=live${query}`
const ask = (person: Person, query = "") => as(world.service, person, "GET", address(query))

/** The answer as it is sent, which no client has unpacked or taken marks from. */
const raw = (person: Person, query: string, encoding: string) =>
  fetch(`${world.service.url}${address(query)}`, {
    headers: { authorization: `Bearer ${person.token}`, "accept-encoding": encoding }
  })

describe("an export", () => {
  it("has each invoice once, newest first, with heads of the language and the time of Almaty", async () => {
    const { status, text, headers } = await ask(accountant, "&lang=en")
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="tolem-org_\w+-live\.csv"$/)
    const lines = text.split(/\r\n(?=inv_|$)/)
    expect(lines[0]).toMatch(/^Invoice,Created \(Almaty\),/)
    expect(lines).toHaveLength(count + 2)
    expect(new Set(lines).size).toBe(count + 2)
    expect(lines[1]).toMatch(/^inv_\w+,2026-01-02 01:30:01,,\w+,qr,1203\.05,0\.00,,order 1202,.*,Till,request$/)
    expect(lines.at(-2)).toContain(`,"'=HYPERLINK(""http://x"",""a, b"")",order 0,`)
    expect(lines.at(-3)).toContain(',"two\r\nlines",order 1,')
  })

  it("is of what the filter lets through, and of what the member sees", async () => {
    const rows = async (person: Person, query: string) => (await ask(person, query)).text.split("\r\n").slice(1, -1)
    expect(await rows(accountant, "&minAmount=1203")).toHaveLength(1)
    expect(await rows(accountant, "&search=ORDER%2012&minAmount=1000")).toHaveLength(3)
    expect(await rows(till, "")).toEqual([])
    expect(outcomeOf(await ask(developer))).toBe("403 insufficient_role")
    expect(outcomeOf(await ask(accountant, "&kind=cash"))).toBe("422 invalid_kind")
    const { audit } = await world.service.run(Engine)
    const query = { organizationId: world.organizationId, before: null, limit: 100 }
    const noted = { action: "invoices.exported", actor: { kind: "account", id: till.accountId } }
    expect(await world.service.run(audit.list(query))).toContainEqual(
      expect.objectContaining({
        action: noted.action,
        actor: expect.objectContaining(noted.actor)
      })
    )
  })

  it("is marked for Excel and compressed on the way where that is asked for", async () => {
    const marked = Buffer.from(await (await raw(accountant, "&bom=1&limit=1", "identity")).arrayBuffer())
    expect(marked.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const packed = await raw(accountant, "", "gzip, br")
    expect(packed.headers.get("content-encoding")).toBe("gzip")
    expect((await packed.text()).split("\r\n").length).toBeGreaterThan(count)
  })

  it("is one at a time of a member, and gives its place back when the client goes away", async () => {
    const { exports: exporting, members } = await world.service.run(Engine)
    const part = await world.service.run(members.enter(accountant.accountId, world.organizationId))
    const desk = { ...part, accountId: accountant.accountId, mode: "live", reach: "all", isFresh: false } as const
    let outcome = ""
    const parts = Stream.unwrap(Effect.map(exporting.invoices(desk, {}), (table) => table.parts))
    await world.service.run(
      Stream.runForEach(Stream.take(parts, 1), () =>
        Effect.promise(async () => {
          outcome ||= outcomeOf(await ask(accountant))
        })
      )
    )
    expect(outcome).toBe("429 too_many_exports")
    expect((await ask(accountant, "&minAmount=1000")).status).toBe(200)
    // Both are noted with the rows that were read, the first one as cut off.
    const { audit } = await world.service.run(Engine)
    const query = { organizationId: world.organizationId, before: null, limit: 100 }
    const ends = async () => {
      const records = await world.service.run(audit.list(query))
      const found = records.filter(({ action }) => action === "invoices.export_ended")
      const begun = new Map(records.map((record) => [record.id, record]))
      return found.map(({ actor, detail }) => {
        const { export: id, rows, isWhole } = JSON.parse(detail ?? "{}")
        return [actor.id === begun.get(id)?.actor.id, rows, isWhole]
      })
    }
    await expect.poll(ends).toContainEqual([true, 204, true])
    expect(await ends()).toContainEqual([true, 500, false])
  })

  it("is one of three at once of a member of many organizations", async () => {
    const { exports: exporting, members } = await world.service.run(Engine)
    const part = await world.service.run(members.enter(accountant.accountId, world.organizationId))
    const desk = { ...part, accountId: accountant.accountId, mode: "live", reach: "all", isFresh: false } as const
    const begin = (id: string, accountId = desk.accountId) =>
      Effect.map(
        Effect.exit(exporting.invoices({ ...desk, accountId, organization: { ...part.organization, id } }, {})),
        Exit.isSuccess
      )
    const many = [begin("org_a"), begin("org_b"), begin("org_c"), begin("org_d"), begin("org_d", till.accountId)]
    expect(await world.service.run(Effect.scoped(Effect.all(many)))).toEqual([true, true, true, false, true])
  })

  it("is refused before it begins if another of the member is let in, begun or not", async () => {
    const { exports: exporting, members } = await world.service.run(Engine)
    const part = await world.service.run(members.enter(accountant.accountId, world.organizationId))
    const desk = { ...part, accountId: accountant.accountId, mode: "live", reach: "all", isFresh: false } as const
    const begin = Effect.map(Effect.exit(exporting.invoices(desk, {})), Exit.isSuccess)
    const both = Effect.all([begin, begin], { concurrency: "unbounded" })
    expect(await world.service.run(Effect.scoped(both))).toEqual([true, false])
    // The first was never read; its place is free again all the same.
    expect(await world.service.run(Effect.scoped(both))).toEqual([true, false])
    const beside = Effect.andThen(
      begin,
      Effect.promise(() => ask(accountant))
    )
    expect(outcomeOf(await world.service.run(Effect.scoped(beside)))).toBe("429 too_many_exports")
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(accountant)))
    // Those that came while another was sent are refused; none is let in and then cut off.
    expect(["200", "429 too_many_exports"]).toEqual(expect.arrayContaining(answers.map(outcomeOf)))
    const whole = answers.filter(({ status }) => status === 200).map(({ text }) => text.split(/\r\n(?=inv_|$)/).length)
    expect(new Set(whole)).toEqual(new Set([count + 2]))
  })

  it("is one of so many on a server", async () => {
    const { exports: exporting, members } = await world.service.run(Engine)
    const part = await world.service.run(members.enter(accountant.accountId, world.organizationId))
    const deskOf = (n: number) =>
      ({
        ...part,
        organization: { ...part.organization, id: `org_x${n}` },
        accountId: `acc_${n}`,
        mode: "live",
        reach: "all",
        isFresh: false
      }) as const
    const outcome = await world.service.run(
      Effect.scoped(
        Effect.gen(function* () {
          const gate = yield* Deferred.make<void>()
          const begun = yield* Queue.unbounded<void>()
          for (let n = 0; n < 24; n++) {
            const { parts } = yield* exporting.invoices(deskOf(n), {})
            const held = Stream.runForEach(Stream.concat(Stream.make([]), parts), () =>
              Effect.andThen(Queue.offer(begun, undefined), Deferred.await(gate))
            )
            yield* Effect.forkScoped(held)
            yield* Queue.take(begun)
          }
          const refused = yield* Effect.exit(exporting.invoices(deskOf(24), {}))
          yield* Deferred.succeed(gate, undefined)
          return Exit.isFailure(refused)
        })
      )
    )
    expect(outcome).toBe(true)
  })
})
