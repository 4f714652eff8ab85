/** What `npm test` leaves out, by name: `npm run test:slow`. CONTRIBUTING says what that is. */
import base, { beforeSql } from "./vitest.config.ts"

const include = [
  "packages/adapter-sqlite/test/{shared,storage}.test.ts",
  "packages/adapter-postgres/test/{damages,dump,poisoned,pool}.test.ts",
  "packages/adapter-sql/test/damages.test.ts",
  "packages/http-server/test/docs/{browser,examples}.test.ts",
  "packages/http-server/test/{hostile,browser/everyPage,cabinet/screens,cluster/faults}.test.ts",
  "packages/http-server/test/servers/{deadly,takeover}.test.ts",
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
      project("slow on postgres", ["packages/http-server/test/hostile.test.ts", ...beforeSql], "postgres")
    ]
  }
}
