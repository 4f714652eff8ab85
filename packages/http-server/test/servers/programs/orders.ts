/**
 * An application that marks orders as paid: `orders.ts <database> <where>`. It kills itself in the midst of its first
 * try of each order: `written`, when it has written and has not said so; `handled`, when the handler is about to end.
 */
import { setImmediate } from "node:timers/promises"
import { nodePlatform } from "@tolem/adapter-node"
import { postgres } from "@tolem/adapter-postgres"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"
import { Redacted } from "effect"

const [database = "", where = ""] = process.argv.slice(2)
const options = {
  platform: nodePlatform(),
  secretKeys: ["a key for tests only, of no use anywhere else"] as const,
  settings: { reactions: { pollMs: 20, retryWaitsMs: [50, 50, 50], leaseMs: 500, timeoutMs: 400 } }
}
const die = () => process.kill(process.pid, "SIGKILL")

const engine = database.startsWith("sqlite:")
  ? await createEngine({
      ...options,
      database: sqlite({ filename: database.slice("sqlite:".length) }),
      on: {
        "invoice.paid": async ({ invoice }, { tx, attempt }) => {
          tx.prepare("insert into orders (note) values (?)").run(invoice.externalOrderId)
          if (where === "written" && attempt === 1) die()
          if (where === "handled" && attempt === 1) await setImmediate().then(die)
        }
      }
    })
  : await createEngine({
      ...options,
      database: postgres({ url: Redacted.make(database) }),
      on: {
        "invoice.paid": async ({ invoice }, { tx, attempt }) => {
          await tx.query("insert into orders (note) values ($1)", [invoice.externalOrderId])
          if (where === "written" && attempt === 1) die()
          if (where === "handled" && attempt === 1) await setImmediate().then(die)
        }
      }
    })
console.log("ready")
process.on("SIGTERM", () => void engine.close().then(() => process.exit(0)))
