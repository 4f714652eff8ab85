/** The back door of the sandbox over HTTP: what steers it while it runs. */
import { Tiyn } from "@tolem/core/value/Money"
import { Clock, Effect, Schema } from "effect"
import { type Action, type Life, shown } from "./Life.ts"
import { BadRequest, bodyOf, json, parameter, refusal, route } from "./Responses.ts"
import type { SandboxBank } from "./SandboxBank.ts"
import { FaultRule, type Scenario, Script } from "./Scenario.ts"
import { phoneOf, tengeOf } from "./Scenarios.ts"
import { Planted } from "./Statement.ts"
import * as Wire from "./Wire.ts"

const Amount = Schema.Struct({ amount: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))) })
const Next = Schema.Struct({
  scenario: Schema.String,
  times: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(1))
  )
})
const Default = Schema.Struct({ scenario: Schema.String })
const Definition = Schema.Struct({
  ...Script.fields,
  number: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8999 }))).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  ),
  about: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))
})
const Cashier = Schema.Struct({ phone: Schema.optionalKey(Schema.String) })
const Advance = Schema.Struct({
  advanceMs: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 31_536_000_000 }))
})

const does = ["scan", "pay", "refuse", "fail", "expire", "cancel", "refund"] as const

/** Any phones would do. */
const cashiers = ["77770000001", "77770000002"]
const wrongOf = (code: string) => (code === "999999" ? "999998" : "999999")
const parts = ["refundOutside", "loseSessions", "passTime"]

/** The routes under `/control`. */
export const make = (bank: SandboxBank) => [
  route("GET", "/control", () =>
    Effect.succeed(json({ cashiers, codes: { right: bank.code, wrong: wrongOf(bank.code) }, parts }))
  ),
  ...paymentRoutes(bank),
  ...scenarioRoutes(bank),
  ...operationRoutes(bank),
  route("GET", "/control/faults", () => Effect.sync(() => json({ faults: bank.control.faults.rules() }))),
  route("POST", "/control/faults", (request) =>
    Effect.map(bodyOf(request, FaultRule), (rule) => {
      bank.control.faults.add(rule)
      return json({ faults: bank.control.faults.rules() })
    })
  ),
  route("DELETE", "/control/faults", () =>
    Effect.sync(() => {
      bank.control.faults.clear()
      return json({ faults: [] })
    })
  ),
  route("POST", "/control/sessions/lose", (request) =>
    Effect.map(bodyOf(request, Cashier), ({ phone }) => json({ lost: bank.control.loseSessions(phone ?? null) }))
  ),
  route("POST", "/control/clock", (request) =>
    Effect.gen(function* () {
      const { advanceMs } = yield* bodyOf(request, Advance)
      return json({ now: bank.control.advance(advanceMs, yield* Clock.currentTimeMillis) })
    })
  ),
  route("POST", "/control/reset", () =>
    Effect.sync(() => {
      bank.reset()
      return json({})
    })
  )
]

const paymentRoutes = (bank: SandboxBank) => [
  route("GET", "/control/payments", () =>
    Effect.map(Clock.currentTimeMillis, (now) => json({ payments: bank.control.payments(now).map(seen) }))
  ),
  route("GET", "/control/payments/:reference", () =>
    Effect.gen(function* () {
      const life = bank.control.payment(yield* parameter("reference"), yield* Clock.currentTimeMillis)
      return life === undefined ? refusal(404, "not_found") : json(seen(life))
    })
  ),
  ...does.map((deed) =>
    route("POST", `/control/payments/:reference/${deed}`, (request) =>
      Effect.gen(function* () {
        const reference = yield* parameter("reference")
        const { amount } = yield* bodyOf(request, Amount)
        const now = yield* Clock.currentTimeMillis
        if (bank.control.payment(reference, now) === undefined) return refusal(404, "not_found")
        const life = bank.control.act(reference, actionOf(deed, amount), now)
        return life === undefined ? refusal(409, deed === "refund" ? "not_refundable" : "not_open") : json(seen(life))
      })
    )
  )
]

const operationRoutes = (bank: SandboxBank) => [
  route("GET", "/control/operations", () => Effect.sync(() => json({ planted: bank.control.planted() }))),
  route("POST", "/control/operations", (request) =>
    Effect.gen(function* () {
      bank.control.plant(yield* bodyOf(request, Planted), yield* Clock.currentTimeMillis)
      return json({ planted: bank.control.planted() })
    })
  ),
  route("DELETE", "/control/operations", () =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      bank.control.plant(null, now)
      return json({ planted: [] })
    })
  )
]

const scenarioRoutes = (bank: SandboxBank) => {
  const named = (name: string) =>
    Effect.mapError(Effect.fromNullishOr(bank.control.book.find(name)), () => new BadRequest())
  return [
    route("GET", "/control/scenarios", () =>
      Effect.sync(() => json({ scenarios: bank.control.book.all().map(described) }))
    ),
    route("PUT", "/control/scenarios/:name", (request) =>
      Effect.gen(function* () {
        const scenario = { ...(yield* bodyOf(request, Definition)), name: yield* parameter("name") }
        bank.control.book.define(scenario)
        return json(described(scenario))
      })
    ),
    route("POST", "/control/next", (request) =>
      Effect.gen(function* () {
        const { scenario, times } = yield* bodyOf(request, Next)
        bank.control.book.next(yield* named(scenario), times)
        return json({ scenario, times })
      })
    ),
    route("POST", "/control/default", (request) =>
      Effect.gen(function* () {
        const { scenario } = yield* bodyOf(request, Default)
        bank.control.book.setDefault(yield* named(scenario))
        return json({ scenario })
      })
    ),
    route("PUT", "/control/scripts/:ours", (request) =>
      Effect.gen(function* () {
        const script = yield* bodyOf(request, Script)
        bank.control.book.script(yield* parameter("ours"), script)
        return json(script)
      })
    )
  ]
}

const actionOf = (deed: (typeof does)[number], amount: number | undefined): Action =>
  deed === "refund" ? { does: deed, amount: amount === undefined ? null : Tiyn(amount), ours: null } : { does: deed }

/** A payment as the control API shows it: as adapters see it, and what is known of it beside. */
const seen = (life: Life) => {
  const { cashier, kind, phone, description, scenario, createdAt } = life
  return { ...Wire.paymentBody(shown(life)), cashier, kind, phone, description, scenario, createdAt }
}

const described = (scenario: Scenario) => ({ ...scenario, amount: tengeOf(scenario), phone: phoneOf(scenario) })
