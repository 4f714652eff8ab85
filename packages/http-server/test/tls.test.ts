/** A server that speaks TLS itself. */
import { once } from "node:events"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { Agent, get } from "node:https"
import { type AddressInfo, connect as connectPlain } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect, type TLSSocket } from "node:tls"
import { Effect, Fiber, Logger } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import * as NodeServer from "../src/http/NodeServer.ts"
import * as TlsFiles from "../src/http/TlsFiles.ts"
import * as TlsFront from "../src/http/TlsFront.ts"
import { hasOpenssl, makeIdentity } from "./support/identities.ts"

describe.skipIf(!hasOpenssl)("a server with a certificate", () => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-tls-"))
  let first: ReturnType<typeof makeIdentity>
  let second: ReturnType<typeof makeIdentity>
  beforeAll(() => {
    first = makeIdentity(folder, "first")
    second = makeIdentity(folder, "second")
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A server whose files are copies of the first identity. */
  const listen = async (handshakeMs = 60_000) => {
    const own = mkdtempSync(join(folder, "own-"))
    const files = { certificateFile: join(own, "a.crt"), keyFile: join(own, "a.key"), lookEveryMs: 5 }
    copyFileSync(first.certificateFile, files.certificateFile)
    copyFileSync(first.keyFile, files.keyFile)
    const identity = await Effect.runPromise(TlsFiles.read(files))
    const server = NodeServer.make(NodeServer.defaults)
    const front = TlsFront.putInFront(server, identity, handshakeMs)
    server.on("request", (_request: unknown, response: ServerResponse) => response.end("served"))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return { server, files, identity, front, port: (server.address() as AddressInfo).port }
  }

  /** The name in the certificate that a new connection is shown. */
  const nameAt = async (port: number): Promise<string> => {
    const socket = connect({ port, host: "127.0.0.1", ca: [first.certificate, second.certificate] })
    await once(socket, "secureConnect")
    const { CN } = socket.getPeerCertificate().subject
    socket.destroy()
    return String(CN)
  }

  /** What is answered through an agent. */
  const ask = (port: number, agent: Agent) =>
    new Promise<string>((resolve, reject) => {
      get({ port, host: "127.0.0.1", path: "/", agent }, (response) => {
        response.setEncoding("utf8").on("data", resolve)
      }).on("error", reject)
    })

  it("answers to those who trust it, over one connection again and again", async () => {
    const { port } = await listen()
    const agent = new Agent({ ca: first.certificate, keepAlive: true, maxSockets: 1 })
    let sockets = 0
    agent.on("free", (socket: TLSSocket) => {
      sockets = socket.authorized ? sockets + 1 : -1
    })
    expect(await ask(port, agent)).toBe("served")
    expect(await ask(port, agent)).toBe("served")
    await expect(ask(port, new Agent({ ca: second.certificate }))).rejects.toThrow(/self-signed/)
    expect(sockets).toBeGreaterThan(0)
    agent.destroy()
  })

  it("serves requests that were sent ahead in their order", async () => {
    const { port } = await listen()
    const socket = connect({ port, host: "127.0.0.1", ca: first.certificate })
    await once(socket, "secureConnect")
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(3))
    let text = ""
    for await (const chunk of socket) {
      text += chunk
      if (text.split("served").length === 4) break
    }
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3)
  })

  it("speaks neither plain HTTP nor an old TLS", async () => {
    const { port } = await listen()
    const plain = connectPlain(port, "127.0.0.1")
    plain.on("error", () => {})
    plain.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
    let text = ""
    plain.on("data", (chunk) => {
      text += chunk
    })
    await once(plain, "close")
    expect(text).not.toContain("HTTP/1.1")
    const old = connect({ port, host: "127.0.0.1", ca: first.certificate, minVersion: "TLSv1", maxVersion: "TLSv1.1" })
    await expect(once(old, "secureConnect")).rejects.toThrow()
  })

  it("cuts a handshake that does not come to an end, by its time and when it closes", async () => {
    const { port: quick } = await listen(20)
    const slow = connectPlain(quick, "127.0.0.1")
    slow.on("error", () => {})
    await once(slow, "close")
    const { port, server } = await listen()
    const held = connectPlain(port, "127.0.0.1")
    held.on("error", () => {})
    await once(server, "connection")
    const closed = once(server, "close")
    server.close()
    server.closeAllConnections()
    await closed
  })

  it("shows what its files hold from then on, and the one before while they do not belong together", async () => {
    const { port, files, identity, front } = await listen()
    const agent = new Agent({ ca: first.certificate, keepAlive: true, maxSockets: 1 })
    expect(await ask(port, agent)).toBe("served")
    const said: Array<string> = []
    const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void said.push(line))])
    const following = Effect.runFork(Effect.provide(TlsFiles.follow(files, identity, front), log))
    onTestFinished(() => Effect.runPromise(Fiber.interrupt(following)).then(() => {}))
    copyFileSync(second.certificateFile, files.certificateFile)
    await expect.poll(() => said.join()).toContain("is not that of the certificate")
    expect(await nameAt(port)).toBe("first")
    copyFileSync(second.keyFile, files.keyFile)
    await expect.poll(() => nameAt(port)).toBe("second")
    expect(said.join()).toContain("was renewed")
    // Who is connected stays so.
    expect(await ask(port, agent)).toBe("served")
    // Told once, however often it is looked at.
    expect(said.filter((line) => line.includes("is not that of"))).toHaveLength(1)
    agent.destroy()
  })

  it("warns of one that is past its time soon, once, however often it is looked at", async () => {
    const said: Array<string> = []
    const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void said.push(line))])
    const { front } = await listen()
    const soon = makeIdentity(folder, "short", 2)
    let looks = 0
    const files = {
      ...soon,
      lookEveryMs: 1,
      get certificateFile() {
        looks += 1
        return soon.certificateFile
      }
    }
    const identity = await Effect.runPromise(TlsFiles.read(files))
    const following = Effect.runFork(Effect.provide(TlsFiles.follow(files, identity, front), log))
    onTestFinished(() => Effect.runPromise(Fiber.interrupt(following)).then(() => {}))
    await expect.poll(() => looks).toBeGreaterThan(5)
    expect(said).toEqual([expect.stringContaining("is good for 1 more days")])
  })

  it("does not begin with files that cannot be used", async () => {
    const bad = join(folder, "bad.pem")
    writeFileSync(bad, "-----BEGIN CERTIFICATE-----\nnone\n")
    const problem = (certificateFile: string, keyFile: string) =>
      Effect.runPromise(Effect.flip(TlsFiles.read({ certificateFile, keyFile }))).then(({ message }) => message)
    expect(await problem(bad, first.keyFile)).toContain("the certificate is none in PEM")
    expect(await problem(first.certificateFile, bad)).toContain("the key is none in PEM")
    expect(await problem(first.certificateFile, second.keyFile)).toContain("is not that of the certificate")
    expect(await problem(first.certificateFile, join(folder, "none"))).toContain("ENOENT")
  })
})
