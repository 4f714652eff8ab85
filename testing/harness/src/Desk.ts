/** Organizations, keys and endpoints as commands make them, without a process for each: most tests only need them. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as Postgres from "@tolem/adapter-postgres/Postgres"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine, type Stores } from "@tolem/core/engine/Engine"
import { KeyScope } from "@tolem/core/merchant/Merchant"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import type { ApiKeyId, OrganizationId } from "@tolem/core/value/Ids"
import { Effect, Layer, Redacted } from "effect"

/** A merchant's key and what it belongs to. */
export interface Merchant {
  readonly organizationId: OrganizationId
  readonly apiKey: string
  readonly keyId: ApiKeyId
}

/** Brings the schema of the PostgreSQL at `url` up to date. */
export const migrate = (url: string): Promise<unknown> =>
  Effect.runPromise(Postgres.migrate({ url: Redacted.make(url) }))

/** Works on the PostgreSQL at `url`, which it migrates first; secrets are sealed with `secretKey`. */
export const openDesk = async (url: string, secretKey: string) => {
  await migrate(url)
  return deskOf(Postgres.layer({ url: Redacted.make(url), statementTimeoutMs: 0 }), secretKey)
}

/** Works on a SQLite file. */
export const openFile = (filename: string, secretKey: string) => deskOf(Sqlite.layer({ filename }), secretKey)

const deskOf = (stores: Layer.Layer<Stores, unknown, SecretBox.SecretBox>, secretKey: string) => {
  // Connected for as long as a program runs: nothing of it is left to be cut when the test breaks the database.
  const engine = Engine.layer().pipe(
    Layer.provide(stores),
    Layer.provide(SecretBox.layer([Redacted.make(secretKey)])),
    Layer.provide(NodeCrypto.layer)
  )
  const run = <A, E>(program: Effect.Effect<A, E, Engine>) =>
    Effect.runPromise(Effect.provide(program, Layer.fresh(engine)))
  let phone = 77_000_000_000

  const createKey = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const { organizations } = yield* Engine
    const request = { organizationId, mode: "sandbox", name: "test", scopes: KeyScope.literals } as const
    const { key, text } = yield* organizations.createKey(request)
    return { organizationId, apiKey: Redacted.value(text), keyId: key.id } satisfies Merchant
  })

  /** A key of a fresh organization. */
  const merchant = (): Promise<Merchant> =>
    run(
      Effect.gen(function* () {
        const { organizations } = yield* Engine
        const made = yield* organizations.create({ name: "Dastarkhan", ownerPhone: String(++phone), tariff: "scale" })
        return yield* createKey(made.organization.id)
      })
    )

  /** Another key of the organization. */
  const keyOf = (organizationId: OrganizationId): Promise<Merchant> => run(createKey(organizationId))

  /** Has every event of the merchant's sandbox sent to `address`; answers the endpoint and what it is signed with. */
  const announce = async ({ organizationId }: Merchant, address: string) => {
    const owner = { organizationId, mode: "sandbox" } as const
    const { endpoint, secret } = await run(Engine.use(({ webhooks }) => webhooks.create(owner, { url: address })))
    return { id: endpoint.id, secret: Redacted.value(secret) }
  }

  /** Has so many sandbox invoices of the merchant made and paid. */
  const paid = ({ organizationId }: Merchant, count: number): Promise<ReadonlyArray<string>> => {
    const caller = { organizationId, mode: "sandbox", connectionId: null, source: "api" } as const
    const one = Effect.gen(function* () {
      const { invoices } = yield* Engine
      const { invoice } = yield* invoices.create(caller, { body: { amount: 10 } })
      yield* invoices.simulate(caller, invoice.id, { status: "paid" })
      return invoice.id
    })
    return run(
      Effect.all(
        Array.from({ length: count }, () => one),
        { concurrency: 50 }
      )
    )
  }
  return { merchant, keyOf, announce, paid }
}
