/** Requests that `fetch` refuses to send, byte by byte over a socket. */
import { connect } from "node:net"
import { noteRefusal } from "@tolem/testing-harness/Calls"

/** What came back over the connection until the server closed it, or until `enough` says so. */
export const exchange = (
  port: number,
  bytes: string | Buffer | ReadonlyArray<string | Buffer>,
  enough: (received: string) => boolean = () => false
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" })
    let received = ""
    const done = () => {
      socket.destroy()
      for (const { status, body } of answersIn(received)) if (status >= 400) noteRefusal(status, body)
      resolve(received)
    }
    socket.setEncoding("latin1")
    socket.on("data", (chunk) => {
      received += chunk
      if (enough(received)) done()
    })
    socket.on("end", done)
    // A reset after the answer is the server's right; before it there is nothing to judge by.
    socket.on("error", (error) => (received === "" ? reject(error) : done()))
    // Each part by itself: written at once they would travel as one.
    const write = ([part, ...others]: ReadonlyArray<string | Buffer>) => {
      if (part !== undefined) socket.write(part, () => write(others))
    }
    write([bytes].flat())
  })

/** Status, headers and body of each answer that was received. Bodies must have a length; answers to HEAD have none. */
export const answersIn = (received: string, bodiless = false) => {
  const answers: Array<{ status: number; headers: Record<string, string>; body: string }> = []
  for (let rest = received; rest.startsWith("HTTP/1.1 "); ) {
    const end = rest.indexOf("\r\n\r\n")
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n")
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)])
    )
    const status = Number(first.split(" ")[1])
    const length = bodiless ? 0 : Number(headers["content-length"] ?? 0)
    if (status >= 200) {
      const body = Buffer.from(rest.slice(end + 4, end + 4 + length), "latin1").toString()
      answers.push({ status, headers, body })
    }
    rest = rest.slice(end + 4 + (status >= 200 ? length : 0))
  }
  return answers
}

/** Sends the bytes and hangs up without waiting for an answer. */
export const sendAndLeave = (port: number, bytes: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" })
    socket.on("error", reject)
    socket.on("close", () => resolve())
    socket.write(bytes, () => socket.destroy())
  })
