/** What `npm test` leaves out, by name: `npm run test:slow`. CONTRIBUTING says what that is. */
import base, { beforeSql, ofStores, onlySlow } from "./vitest.config.ts"

const include = [
  ...onlySlow,
  "packages/adapter-sqlite/test/{shared,storage}.test.ts",
  "packages/adapter-postgres/test/{dump,poisoned,pool}.test.ts",
  "packages/adapter-sql/test/damages.test.ts",
  "packages/http-server/test/docs/examples.test.ts",
  "packages/http-server/test/{hostile,browser/everyPage,cabinet/screens}.test.ts",
  "packages/http-server/test/servers/deadly.test.ts",
  "scripts/test/{chaos,kill9,pack,shop,simulation}.test.ts"
]

const project = (name: string, include: ReadonlyArray<string>, database: "sqlite" | "postgres") => ({
  extends: true as const,
  test: { name, include: [...include], provide: { database, isWhole: true } }
})

export default {
  test: {
    ...base.test,
    projects: [
      project("slow", include, "sqlite"),
      project(
        "slow on postgres",
        ["packages/http-server/test/{hostile,browser/journeys}.test.ts", ...beforeSql, ...ofStores],
        "postgres"
      )
    ]
  }
}
