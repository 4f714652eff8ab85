/** `npm run chaos -- kill9 --times N`: breaks a running service on purpose and checks that it keeps its promises. */
import { parseArgs } from "node:util"
import { kill9 } from "./chaos/Kill9.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: "string", default: "20" } }
})
const times = Number(values.times)
if (positionals[0] !== "kill9" || !Number.isInteger(times) || times < 1) {
  console.error("usage: npm run chaos -- kill9 --times N")
  process.exitCode = 2
} else {
  const outcome = await kill9(times, console.log)
  for (const violation of outcome.violations) console.error(violation)
  const { kills, creates, payments, deliveries, violations } = outcome
  console.log(`${kills} kills, ${creates} creates, ${payments} payments, ${deliveries} announced: `)
  console.log(violations.length === 0 ? "nothing acknowledged was lost" : `${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
