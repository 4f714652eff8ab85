/** A mail server on a free port of this machine, which takes all that it is handed and keeps it. */
import { createServer, type Socket } from "node:net"

/** What came of one letter. */
export interface TakenLetter {
  readonly to: string
  /** Headers and body, as they came. */
  readonly text: string
}

/** Starts it. A `mute` one greets and then says nothing, until it is stopped. */
export const receive = async ({ mute = false } = {}) => {
  const letters: Array<TakenLetter> = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let [rest, to, body] = ["", "", null as string | null]
    const say = (line: string) => void socket.write(`${line}\r\n`)
    const hear = (line: string) => {
      if (body !== null) {
        if (line !== ".") {
          body += `${line}\n`
          return
        }
        letters.push({ to, text: body })
        body = null
        return say("250 taken")
      }
      const [verb = ""] = line.toUpperCase().split(/[ :]/)
      if (verb === "RCPT") to = /<([^>]*)>/.exec(line)?.[1] ?? ""
      if (verb === "DATA") body = ""
      say(verb === "DATA" ? "354 go on" : verb === "QUIT" ? "221 bye" : "250 well")
    }
    socket.on("error", () => undefined)
    socket.on("close", () => sockets.delete(socket))
    socket.on("data", (chunk) => {
      if (mute) return
      const lines = (rest + chunk.toString("utf8")).split("\r\n")
      rest = lines.pop() ?? ""
      for (const line of lines) hear(line)
    })
    say("220 here")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    letters,
    port: typeof address === "object" && address !== null ? address.port : 0,
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      })
  }
}

/** The code that a letter carries, as its HTML shows it; empty if it has none. */
export const codeIn = (letter: TakenLetter | undefined): string => {
  const text = (letter?.text ?? "").replace(/=\n/g, "").replace(/=3D/g, "=")
  return /letter-spacing:4px">(\d{6})</.exec(text)?.[1] ?? ""
}

/** The parts of a letter as people read them, one after the other. */
export const partsOf = ({ text }: TakenLetter): string =>
  text
    .split(/^--.*$/m)
    .map((part) => {
      const [head = "", ...body] = part.trimStart().split("\n\n")
      const encoded = body.join("\n\n")
      if (/base64/i.test(head)) return Buffer.from(encoded, "base64").toString("utf8")
      const quoted = encoded.replaceAll("=\n", "").replace(/=([0-9A-F]{2})/g, (_, hex) => `%${hex}`)
      return /quoted-printable/i.test(head) ? decodeURIComponent(quoted.replace(/%(?![0-9A-F]{2})/g, "%25")) : encoded
    })
    .join("\n")
