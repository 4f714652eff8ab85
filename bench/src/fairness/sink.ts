/**
 * Takes webhooks in a process of its own, so that a flood of them is no work of the process that measures:
 * `node sink.ts takes` answers at once, `node sink.ts hangs` never does. Prints its port.
 */
import { createServer } from "node:net"

const [mode = "takes"] = process.argv.slice(2)
const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

const server = createServer({ noDelay: true }, (socket) => {
  let received = Buffer.alloc(0)
  socket.on("error", () => {})
  socket.on("data", (chunk) => {
    if (mode === "hangs") return
    received = Buffer.concat([received, chunk])
    for (;;) {
      const end = received.indexOf("\r\n\r\n")
      if (end === -1) return
      const length = Number(/\r\ncontent-length: *([0-9]+)/i.exec(received.toString("latin1", 0, end))?.[1] ?? 0)
      if (received.length < end + 4 + length) return
      received = received.subarray(end + 4 + length)
      socket.write(answer)
    }
  })
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
})
process.once("SIGTERM", () => process.exit(0))
