/** How long something takes, as the console says it. Pure. */
import { count } from "../../parts/MoneyWords.ts"
import type { HealthTexts } from "../../texts/PlatformTexts.ts"

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** `12 ms`, `40 s`, `5 min`, `7 h`, `3 d`: the largest unit of which there are two, or the one that there is. */
export const span = (ms: number, words: HealthTexts): string => {
  const units = [
    [2 * dayMs, dayMs, words.days],
    [2 * hourMs, hourMs, words.hours],
    [2 * minuteMs, minuteMs, words.minutes],
    [secondMs, secondMs, words.seconds]
  ] as const
  const [, unit, say] = units.find(([from]) => ms >= from) ?? [0, 1, words.milliseconds]
  return say(count(Math.floor(Math.max(0, ms) / unit)))
}
