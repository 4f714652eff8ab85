/** A receiver of webhooks on this machine, over plain sockets: little of the processors is taken from the senders. */
import { createHmac } from "node:crypto"
import { createServer, type Socket } from "node:net"

/** What has arrived. */
export interface Receiver {
  readonly port: number
  /** Forgets what has arrived, and waits for `count` different deliveries. Answers when the first of them came. */
  readonly expect: (count: number) => Promise<number>
  readonly close: () => void
}

const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
const patienceMs = 60_000
// Checking every signature would be this process's main work.
const checkEvery = 50

/** Listens at any free port. `secretOf` finds the secret of the endpoint at a path. */
export const listen = (secretOf: (path: string) => string | undefined): Promise<Receiver> =>
  new Promise((resolve, reject) => {
    const sockets = new Set<Socket>()
    let arrived = new Set<string>()
    let firstAt = 0
    let waiting = (_count: number) => {}
    let broken = (_error: Error) => {}

    const take = ({ head, body }: Message) => {
      const delivery = /\r\nx-webhook-delivery: *(\S+)/i.exec(head)?.[1]
      if (delivery === undefined) return broken(new Error(`no delivery is named:\n${head}`))
      if (arrived.size === 0) firstAt = performance.now()
      if (arrived.size % checkEvery === 0 && !isSigned(head, body, secretOf))
        return broken(new Error("a wrong signature"))
      arrived.add(delivery)
      waiting(arrived.size)
    }
    const server = createServer({ noDelay: true }, (socket) => {
      sockets.add(socket)
      let received: Buffer = Buffer.alloc(0)
      socket.on("error", () => {})
      socket.on("close", () => sockets.delete(socket))
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        for (let message = parse(received); message !== undefined; message = parse(received)) {
          received = received.subarray(message.size)
          take(message)
          socket.write(answer)
        }
      })
    })
    const expect = (count: number) =>
      new Promise<number>((resolve, reject) => {
        arrived = new Set()
        const timer = setTimeout(() => broken(new Error(`${arrived.size} of ${count} arrived`)), patienceMs)
        broken = (error) => {
          clearTimeout(timer)
          reject(error)
        }
        waiting = (size) => {
          if (size < count) return
          clearTimeout(timer)
          resolve(firstAt)
        }
      })
    const close = () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (typeof address === "object" && address !== null) resolve({ port: address.port, expect, close })
    })
  })

interface Message {
  readonly head: string
  readonly body: Buffer
  readonly size: number
}

/** The first whole request, if there is one. */
const parse = (received: Buffer): Message | undefined => {
  const end = received.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const head = received.toString("latin1", 0, end)
  const size = end + 4 + Number(/\r\ncontent-length: *([0-9]+)/i.exec(head)?.[1] ?? 0)
  return received.length < size ? undefined : { head, body: received.subarray(end + 4, size), size }
}

const isSigned = (head: string, body: Buffer, secretOf: (path: string) => string | undefined): boolean => {
  const secret = secretOf(head.split(" ", 2)[1] ?? "")
  const timestamp = /\r\nx-webhook-timestamp: *([0-9]+)/i.exec(head)?.[1]
  const signature = /\r\nx-webhook-signature: *sha256=([0-9a-f]{64})/i.exec(head)?.[1]
  if (secret === undefined) return false
  return createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex") === signature
}
