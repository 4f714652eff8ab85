/** Providers in plain promises: what they leave out, and what becomes of calls that are given up. */
import { Effect, Fiber, Redacted } from "effect"
import { expect, it } from "vitest"
import { PaymentProvider } from "../../src/provider/PaymentProvider.ts"
import { defineProvider, outcome, type ProviderDefinition } from "../../src/provider/PlainProvider.ts"

const never = async () => outcome.unknown
const least: ProviderDefinition = {
  name: "Least",
  can: { findByOurs: false, cancel: false },
  createQr: never,
  createPush: never,
  stateByReference: never,
  refund: never,
  initLogin: never,
  sendPhone: never,
  verifyOtp: async ({ otp }) => outcome.accepted(`session of ${otp}`),
  checkSession: never
}
const session = Redacted.make("s")
const asked = <A>(given: ProviderDefinition, call: (provider: PaymentProvider["Service"]) => Effect.Effect<A>) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(PaymentProvider, call), defineProvider(given)))

it("a provider that does not find by our ids never says that something was not made", async () => {
  const byOurs = { session, ours: "inv_1" }
  expect(await asked(least, (provider) => provider.stateByOurs(byOurs))).toMatchObject({ _tag: "Unknown" })
  expect(await asked(least, (provider) => provider.refundState(byOurs))).toMatchObject({ _tag: "Unknown" })
  const denied = { ...least, stateByOurs: async () => outcome.refused("not_found") }
  expect(await asked(denied, (provider) => provider.stateByOurs(byOurs))).toMatchObject({ _tag: "Unknown" })
})

it("a provider that withdraws nothing says so", async () => {
  const answer = await asked(least, (provider) => provider.cancel({ session, reference: "r" }))
  expect(answer).toMatchObject({ _tag: "Refused", code: "other" })
})

it("a call that is missing and not denied is named at once", () => {
  expect(() => defineProvider({ ...least, can: { cancel: false } })).toThrow("lacks stateByOurs")
  expect(() => defineProvider({ ...least, can: { findByOurs: false } })).toThrow("say can: { cancel: false }")
})

it("secrets are texts inside and secrets outside, and what is thrown may have been done", async () => {
  const answer = await asked(least, (provider) => provider.verifyOtp({ processId: "p", otp: Redacted.make("1") }))
  expect(String(answer._tag === "Accepted" && Redacted.value(answer.value))).toBe("session of 1")
  expect(JSON.stringify(answer)).not.toContain("session of")
  const broken = { ...least, checkSession: () => Promise.reject(new Error("no connection")) }
  expect(await asked(broken, (provider) => provider.checkSession(session))).toMatchObject({ _tag: "Unknown" })
})

it("a call that nobody waits for any more is told so", async () => {
  const told = Promise.withResolvers<string>()
  const silent = {
    ...least,
    checkSession: (_: string, { signal }: { readonly signal: AbortSignal }) =>
      new Promise<never>(() => signal.addEventListener("abort", () => told.resolve("aborted")))
  }
  await asked(silent, (provider) =>
    Effect.flatMap(Effect.forkChild(provider.checkSession(session), { startImmediately: true }), Fiber.interrupt)
  )
  expect(await told.promise).toBe("aborted")
})
