/**
 * `npm run bench -- reconciliation`: a day of 100,000 operations of one cashier, compared with the provider's own list,
 * on each database. Five differences are planted, and must be found.
 */
import { nodePlatform } from "@tolem/adapter-node"
import * as Postgres from "@tolem/adapter-postgres/Postgres"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine } from "@tolem/core/engine/Engine"
import { Answer } from "@tolem/core/provider/Answer"
import type { Operation } from "@tolem/core/provider/Operation"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { dayOf, startOfDay } from "@tolem/core/value/Calendar"
import { Tiyn } from "@tolem/core/value/Money"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { showLine } from "@tolem/testing-harness/ProgressLine"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { secretKey } from "./Children.ts"
import { type Ground, onPostgres, onSqlite } from "./fairness/Ground.ts"
import { show } from "./Report.ts"

const count = 100_000
const digits = 1_000_000_000_000
const spacingMs = 800
const amount = 150_000
/** What a comparison may take, in seconds. */
const atMost = 60

/** Measures both databases, and prints a table of each. */
export const run = async (): Promise<void> => {
  await onSqlite(measure)
  await onPostgres(measure)
}

const measure = async (ground: Ground): Promise<void> => {
  const { organizationId } = await ground.desk.merchant()
  const day = dayOf(startOfDay(dayOf(Date.now())) - 1)
  const runtime = ManagedRuntime.make(engine(ground.url, listOf(startOfDay(day))))
  try {
    const { connections, reconciliations } = await runtime.runPromise(Engine)
    const logIn = Effect.gen(function* () {
      const { id } = yield* connections.create(organizationId, { name: "Till" })
      const { id: processId } = yield* connections.initLogin(organizationId, id)
      yield* connections.sendPhone(organizationId, id, { processId, phone: "77010000000" })
      yield* connections.verifyOtp(organizationId, id, { processId, otp: Redacted.make("111111") })
      return id
    })
    const connectionId = await runtime.runPromise(logIn)
    showLine(`${ground.name}: filling`)
    await ground.execute(invoices(organizationId, connectionId, startOfDay(day), day))
    showLine("")
    const memory = watchMemory()
    const beganAt = performance.now()
    const [compared] = await runtime.runPromise(reconciliations.compareNow(organizationId, day))
    const seconds = (performance.now() - beganAt) / 1000
    const grownMb = memory.end()
    const { payments = 0 } = compared?.row.sums?.here ?? {}
    if (payments !== count || compared?.open !== 5) throw new Error(`compared ${JSON.stringify(compared)}`)
    show(
      [`${ground.name}: a day of ${count} operations`, "measured", "at most", "met"],
      [
        [
          "compared, and its five differences found",
          `${seconds.toFixed(1)} s`,
          `${atMost} s`,
          seconds <= atMost ? "yes" : "NO"
        ],
        ["memory that came with it (resident)", `${grownMb} MB`, "", ""]
      ]
    )
  } finally {
    await runtime.dispose()
  }
}

const engine = (url: string, operations: ReadonlyArray<Operation>) => {
  const sandbox = InProcess.make(SandboxBank.make())
  const provider: PaymentProvider["Service"] = {
    ...sandbox,
    listOperations: ({ after, limit }) =>
      Effect.sync(() => {
        const from = after === null ? 0 : Number(after)
        const until = from + limit
        const next = until < operations.length ? String(until) : null
        return Answer.Accepted({ value: { operations: operations.slice(from, until), next } })
      })
  }
  const stores = url.startsWith("sqlite:")
    ? Sqlite.layer({ filename: url.slice("sqlite:".length) })
    : Postgres.layer({ url: Redacted.make(url) })
  return Engine.layer().pipe(
    Layer.provide(stores),
    Layer.provide(SecretBox.layer([Redacted.make(secretKey)])),
    Layer.provide(Layer.merge(nodePlatform(), Layer.succeed(PaymentProvider, provider)))
  )
}

const ours = (n: number): string => `inv_${digits + n}`

/** The provider's list: one payment is not in it, one has another amount, two are of others, one was given back. */
const listOf = (startAt: number): ReadonlyArray<Operation> => {
  const payments = Array.from({ length: count }, (_, n): Operation => {
    const reference = `p${n}`
    const at = startAt + n * spacingMs
    return { kind: "payment", reference, payment: reference, ours: ours(n), amount: Tiyn(n === 9 ? 100 : amount), at }
  })
  const lastAt = startAt + count * spacingMs
  const others = ["x1", "x2"].map(
    (reference): Operation => ({
      kind: "payment",
      reference,
      payment: reference,
      ours: null,
      amount: Tiyn(700),
      at: lastAt
    })
  )
  const back: Operation = { kind: "refund", reference: "r1", payment: "p3", ours: null, amount: Tiyn(500), at: lastAt }
  return [...payments.toSpliced(5, 1), ...others, back]
}

// In a text that both databases read.
const invoices = (organizationId: string, connectionId: string, startAt: number, day: string): string => `
  insert into tolem_invoices (id, organization_id, mode, connection_id, kind, status, amount, refunded, created_at,
    updated_at, paid_at, late, expires_at, sequence, version, day, search_text, provider_reference)
  with recursive numbers(n) as (select cast(0 as bigint) union all select n + 1 from numbers where n < ${count - 1})
  select 'inv_' || cast(${digits} + n as text), '${organizationId}', 'live', '${connectionId}', 'qr', 'paid', ${amount},
    0, at - 30000, at, at, 0, at, 2, 2, '${day}', '', 'p' || cast(n as text)
  from (select n, ${startAt} + n * ${spacingMs} as at from numbers) as made`

/** The most that the process has taken since, in MB. */
const watchMemory = () => {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 50)
  return {
    end: (): number => {
      clearInterval(timer)
      return Math.round((Math.max(most, process.memoryUsage.rss()) - before) / 2 ** 20)
    }
  }
}
