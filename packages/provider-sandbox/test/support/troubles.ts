/** The troubles of the provider suite as faults of the sandbox. */
import type { Trouble } from "@tolem/testing/provider/ProviderCase"
import type { Fault } from "../../src/Scenario.ts"

export const faultOf: Readonly<Record<Trouble, Fault>> = {
  lost_request: { kind: "drop", done: false },
  lost_answer: { kind: "drop", done: true },
  silence: { kind: "silence", done: false },
  server_error: { kind: "error", status: 500, done: false },
  unreadable: { kind: "garbage", body: '{"reference":7,"amount":NaN', done: false },
  throttled: { kind: "throttle", retryAfterMs: 1500 },
  twice: { kind: "twice" }
}
