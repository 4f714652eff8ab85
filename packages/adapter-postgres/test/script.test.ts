/** The migration as a script for another tool, held against what `migrate` makes. */
import { it } from "@effect/vitest"
import { connect } from "@tolem/testing-postgres/Client"
import { Effect, Layer, Redacted } from "effect"
import { assert, describe } from "vitest"
import { migrate, postgres } from "../src/index.ts"
import { box, freshOptions, type OwnOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const onServer = <A>({ url }: OwnOptions, use: (client: Awaited<ReturnType<typeof connect>>) => Promise<A>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => connect(Redacted.value(url))),
    (client) => Effect.promise(() => use(client)),
    (client) => Effect.promise(() => client.end())
  )

/** Everything that a schema holds, without its own name. */
const contentOf = (options: OwnOptions) =>
  onServer(options, async (client) => {
    const schema = options.schema ?? ""
    const ask = async (text: string) => {
      const { rows } = await client.query(text, [schema])
      return rows.map((row) => JSON.stringify(row).replaceAll(schema, "…")).toSorted()
    }
    return {
      columns: await ask(`select table_name, column_name, ordinal_position, data_type, is_nullable, column_default,
        collation_name from information_schema.columns where table_schema = $1`),
      indexes: await ask("select indexdef from pg_indexes where schemaname = $1"),
      views: await ask("select viewname, definition from pg_views where schemaname = $1"),
      constraints: await ask(`select conrelid::regclass::text as name, pg_get_constraintdef(oid) as made
        from pg_constraint where connamespace = (select oid from pg_namespace where nspname = $1)`),
      triggers:
        await ask(`select pg_get_triggerdef(t.oid) as made from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where not t.tgisinternal and c.relnamespace = (select oid from pg_namespace where nspname = $1)`),
      functions:
        await ask(`select regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g') as made, proacl::text as granted
        from pg_proc where pronamespace = (select oid from pg_namespace where nspname = $1)`),
      steps: (await client.query(`select migration_id, name from ${schema}.pay_migrations order by 1`)).rows
    }
  })

describe("the script", () => {
  it.live("makes what migrate makes, and servers know the schema by it", () =>
    Effect.gen(function* () {
      const byScript = { ...freshOptions(), prefix: "pay_" }
      const byMigrate = { ...freshOptions(), prefix: "pay_" }
      yield* onServer(byScript, (client) => client.query(migrate.sql(byScript)))
      yield* Effect.promise(() => migrate(byMigrate))
      assert.deepStrictEqual(yield* contentOf(byScript), yield* contentOf(byMigrate))
      assert.deepStrictEqual((yield* Effect.promise(() => migrate(byScript))).steps, [])
      yield* Effect.scoped(Layer.build(Layer.provide(postgres(byScript), box)))
    })
  )

  it.live("begins behind the step that the database has", () =>
    Effect.gen(function* () {
      const options = { ...freshOptions(), prefix: "pay_" }
      const whole = migrate.sql(options)
      const later = migrate.sql({ ...options, after: 17 })
      const begun = whole.slice(0, whole.indexOf(later.slice(later.indexOf("create table"))))
      assert.include(begun, "pay_sealing")
      assert.notInclude(later, "pay_sealing")
      const recorded = begun.replace(/INSERT INTO [^;]*;/, (insert) => insert.replace(/,\(18,.*$/s, ";"))
      yield* onServer(options, (client) => client.query(recorded))
      yield* onServer(options, (client) => client.query(later))
      yield* Effect.scoped(Layer.build(Layer.provide(postgres(options), box)))
    })
  )
})
