/**
 * Runs out of schedule that were asked for and not answered, for the life of the page: what is sent again is then known
 * as the same to the server, also from a page that was left and opened.
 */
import { freshKey } from "../../browser/Keys.ts"
import { leavesOpen } from "../invoice/RefundTries.ts"

const keys = new Map<string, string>()

/** The key of a run of the subscription: the same until it is known what became of it. */
export const runKey = (id: string): string => {
  const key = keys.get(id) ?? freshKey()
  keys.set(id, key)
  return key
}

/** It was made: the next one is another. */
export const runDone = (id: string): void => void keys.delete(id)

/** It failed. Only a refusal that says so for sure lets the next one be another. */
export const runFailed = (id: string, failure: Error): void => {
  if (!leavesOpen(failure)) keys.delete(id)
}
