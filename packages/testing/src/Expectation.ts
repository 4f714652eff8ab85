/** What suites of ports check with: they run under any test runner, so they bring their own. */
import { Equal, Formatter } from "effect"

/** A store or provider did not do what its port promises. */
export class PromiseBroken extends Error {
  override readonly name = "PromiseBroken"
}

/** Throws `PromiseBroken`, with both values, where they differ in structure. `promise` says what would be right. */
export const expectEqual = <A>(actual: A, expected: NoInfer<A>, promise: string): void => {
  if (Equal.equals(actual, expected)) return
  const show = (value: unknown) => Formatter.format(value, { space: 2 })
  throw new PromiseBroken(`${promise}\nexpected: ${show(expected)}\nactual: ${show(actual)}`)
}

/** Throws `PromiseBroken` where `fact` is false. */
export const expectTrue = (fact: boolean, promise: string): void => {
  if (!fact) throw new PromiseBroken(promise)
}
