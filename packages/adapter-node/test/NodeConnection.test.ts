/** Addresses that cannot be connected to, each in a process of its own: what nobody listens to would end that one. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const program = fileURLToPath(new URL("programs/connect.ts", import.meta.url))

/** Exit code and output of a process that sends one webhook to a name that leads to `address`. */
const connecting = async (url: string, address: string) => {
  const child = spawn(process.execPath, [program, url, address], { stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += String(part)))
  const [code] = await once(child, "close")
  return { code, output: output.trim() }
}

describe("connections that fail before they begin", () => {
  // Systems refuse some of these at once, with or without a network: broadcast to those who may not, multicast.
  for (const address of ["255.255.255.255", "224.0.0.1", "ff02::1"]) {
    for (const scheme of ["https", "http"]) {
      it(`are failures of their own attempt: ${scheme} to ${address}`, async () => {
        const { code, output } = await connecting(`${scheme}://receiver.kz/hook`, address)
        assert.strictEqual(output, "connection")
        assert.strictEqual(code, 0)
      })
    }
  }
})
