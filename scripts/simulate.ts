/** `npm run simulate`: histories of the whole engine by their seeds, and which of them break a promise. */
import { showLine } from "@tolem/testing-harness/ProgressLine"
import { exitCodeOf, tool, wholeFlag } from "@tolem/testing-harness/Tools"
import { type Outcome, run } from "@tolem/testing-simulation/History"
import { parts } from "@tolem/testing-simulation/SqliteParts"
import { Option } from "effect"
import { Flag } from "effect/cli"

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

const simulate = tool(
  "npm run simulate --",
  "Runs histories and prints the seeds of those that break a promise, or replays one, line by line.",
  {
    seeds: wholeFlag("seeds", 200, "How many histories"),
    from: wholeFlag("from", 1, "The first one's seed"),
    seed: Flag.Int("seed").pipe(Flag.withDescription("Replays this one"), Flag.optional)
  },
  async ({ seeds, from, seed }) => (Option.isSome(seed) ? replay(seed.value) : many(from, seeds))
)

process.exitCode = await exitCodeOf(simulate)
