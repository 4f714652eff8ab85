/**
 * `npm run simulate -- --seeds N [--from SEED]`: runs N histories and prints the seeds of those that break a promise.
 * `npm run simulate -- --seed SEED`: replays one, line by line.
 */
import { parseArgs } from "node:util"
import { showLine } from "@tolem/testing-harness/ProgressLine"
import { type Outcome, run } from "@tolem/testing-simulation/History"
import { parts } from "@tolem/testing-simulation/SqliteParts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    from: { type: "string", default: "1" },
    seed: { type: "string" }
  }
})

const number = (name: string, text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} wants a whole number, not ${text}`)
  return value
}

const replay = (seed: number): boolean => {
  const outcome = run({ seed, parts, tell: (line) => console.log(line) })
  console.log(JSON.stringify(outcome, null, 2))
  return outcome.violations.length === 0
}

const many = (first: number, count: number): boolean => {
  const beganAt = performance.now()
  const sums = { steps: 0, invoices: 0, payments: 0, deliveries: 0, ended: 0, orders: 0, resent: 0, told: 0 }
  const broken: Array<Outcome> = []
  for (let seed = first; seed < first + count; seed++) {
    showLine(`seed ${seed}, ${seed - first} of ${count} done, ${broken.length} broken`)
    const outcome = run({ seed, parts })
    for (const name of ["steps", "invoices", "payments", "deliveries", "ended", "orders", "resent", "told"] as const) {
      sums[name] += outcome[name]
    }
    if (outcome.violations.length === 0) continue
    broken.push(outcome)
    showLine("")
    console.log(`seed ${seed}: ${outcome.violations[0]}`)
  }
  showLine("")
  const seconds = (performance.now() - beganAt) / 1000
  console.log(
    `${count} seeds from ${first}: ${broken.length} broken; ${sums.invoices} invoices, ${sums.payments} payments, ` +
      `${sums.deliveries} deliveries, ${sums.ended} servers ended, ` +
      `${sums.orders} orders, ${sums.resent} reactions sent again, ${sums.told} messages to members, ` +
      `${sums.steps} steps in ${seconds.toFixed(0)} s`
  )
  if (broken[0] !== undefined) console.log(`replay: npm run simulate -- --seed ${broken[0].seed}`)
  return broken.length === 0
}

const kept =
  values.seed === undefined
    ? many(number("from", values.from), number("seeds", values.seeds))
    : replay(number("seed", values.seed))
process.exitCode = kept ? 0 : 1
