/** A program with an error that nothing catches, which takes a moment to stop in order. */
import { installFaults } from "../../../src/cli/kit/NodeFaults.ts"

const ending = { faulty: false }
installFaults(ending)
process.on("SIGTERM", () => {
  console.log(`stops, faulty: ${ending.faulty}`)
  clearInterval(running)
})
const running = setInterval(() => {}, 1000)

const error = Object.assign(new TypeError("token=hidden"), { code: "ENETUNREACH" })
if (process.argv[2] === "rejection") void Promise.reject(error)
else
  setImmediate(() => {
    throw error
  })
