/**
 * Creates of one key as fast as they are answered, in a process of its own until it is stopped:
 * `node flooder.ts PORT KEY CONNECTIONS`. Prints a line once all connections are open.
 */
import { create } from "../Load.ts"
import { open } from "../Wire.ts"

const [port = "", key = "", connections = ""] = process.argv.slice(2)
const opened = await Promise.all(Array.from({ length: Number(connections) }, () => open(Number(port))))
process.once("SIGTERM", () => process.exit(0))
console.log(JSON.stringify({ port: Number(port) }))
await Promise.all(
  opened.map(async ({ send }) => {
    for (;;) {
      const { status, body } = await send(create(key))
      // What is beyond the rate of the key is refused, and the flood goes on.
      if (status !== 201 && status !== 429) throw new Error(`answered ${status}: ${body}`)
    }
  })
)
