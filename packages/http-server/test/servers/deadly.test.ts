/** A webhook that ends every server that sends it: a supervisor starts them again, and that is soon over. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { openDesk, openFile } from "@tolem/testing-harness/Desk"
import { createMigrated } from "@tolem/testing-postgres/Databases"
import { describe, expect, inject, it } from "vitest"
import { folder, service } from "../cli/support.ts"
import { afterwards, receiver, send, until } from "../cluster/support/cluster.ts"

const secretKey = "a-key-for-tests-only-of-no-use-anywhere-else"
const script = fileURLToPath(new URL("programs/deadly.ts", import.meta.url))

/** What a server holds when it is killed is free again when its lease ends: nobody waits for that here. */
const endLeases = "update tolem_deliveries set due_at = 0 where status = 'pending' and starts > 0"

const onSqlite = async () => {
  const filename = join(folder(), "tolem.db")
  const execute = async (sql: string) => {
    const db = new DatabaseSync(filename)
    db.exec(sql)
    db.close()
  }
  return { location: `sqlite:${filename}`, desk: openFile(filename, secretKey), execute }
}

const onPostgres = async () => {
  const { url, query, drop } = await createMigrated()
  afterwards(drop)
  const execute = async (sql: string) => void (await query(sql))
  return { location: url, desk: await openDesk(url, secretKey), execute }
}

type Server = Awaited<ReturnType<typeof service>>

/** Starts a server, and another one whenever one has ended, while `use` runs. */
const supervised = async (
  start: () => Promise<Server>,
  between: () => Promise<void>,
  use: (state: { readonly deaths: number; readonly server: Server | undefined }) => Promise<void>
) => {
  const state = { deaths: 0, server: undefined as Server | undefined }
  let over = false
  const keep = async () => {
    while (!over) {
      // It may end before it says that it is ready.
      const server = await start().catch(() => undefined)
      state.server = server
      if (over) server?.signal("SIGKILL")
      await server?.ended
      state.server = undefined
      if (over) return
      state.deaths++
      await between()
    }
  }
  const keeping = keep()
  try {
    await Promise.race([use(state), keeping])
  } finally {
    over = true
    state.server?.signal("SIGKILL")
    await keeping
  }
}

describe("a webhook that ends its server", () => {
  // On PostgreSQL in `npm run test:slow`.
  const grounds = { SQLite: onSqlite, ...(inject("isWhole") ? { PostgreSQL: onPostgres } : {}) }
  for (const [database, open] of Object.entries(grounds)) {
    it(`is given up when it has ended three, and holds up nobody else, on ${database}`, async () => {
      const { location, desk, execute } = await open()
      const [culprit, other] = [await desk.merchant(), await desk.merchant()]
      const [own, others, deadly] = [await receiver(), await receiver(), await receiver()]
      const endpoint = (await desk.announce(culprit, deadly.url)).id
      await desk.announce(culprit, own.url)
      await desk.announce(other, others.url)
      const expected = [await desk.paid(culprit, 1), await desk.paid(other, 40)] as const

      const environment = {
        TOLEM_SECRET_KEY: secretKey,
        TOLEM_TEST_DEADLY_PORT: new URL(deadly.url).port
      }
      const args = ["serve", "--host", "127.0.0.1", "--database", location]
      const cwd = folder()
      const start = () => service(cwd, args, environment, script)
      const path = `/webhook-endpoints/${endpoint}/deliveries`
      await supervised(
        start,
        () => execute(endLeases),
        async (state) => {
          const deliveries = async () => {
            const { server } = state
            if (server === undefined) return []
            const answer = await send(server, culprit, path).catch(() => undefined)
            return answer?.body.deliveries ?? []
          }
          await until("it is given up", 120_000, async () => (await deliveries())[0]?.status === "failed")
          expect(state.deaths).toBe(3)
          const [{ id }] = await deliveries()
          const { attempts } = (await send(state.server!, culprit, `${path}/${id}`)).body
          expect(attempts).toMatchObject([{ error: "unfinished" }])

          // Everybody else's came, and comes, from the server that is left.
          const came = ({ arrivals }: typeof own) => new Set(arrivals.map(({ invoice }) => invoice))
          await until("the others' came", 60_000, () => came(others).size === 40 && came(own).size === 1)
          expect(came(own)).toEqual(new Set(expected[0]))
          expect(came(others)).toEqual(new Set(expected[1]))
          const made = (await send(state.server!, other, "/invoices", { amount: 10 })).body.id
          await send(state.server!, other, `/invoices/${made}/simulate`, { status: "paid" })
          await until("the next one came", 60_000, () => came(others).has(made))
          expect(state.deaths).toBe(3)
        }
      )
      expect(deadly.arrivals).toEqual([])
    })
  }
})
