/** What `npm test` leaves out, by name: `npm run test:slow`. CONTRIBUTING says what that is. */
import base from "./vitest.config.ts"

const include = [
  "packages/adapter-sqlite/test/{shared,storage}.test.ts",
  "packages/adapter-postgres/test/{damages,pool}.test.ts",
  "packages/adapter-sql/test/damages.test.ts",
  "scripts/test/simulation.test.ts"
]

export default {
  test: {
    ...base.test,
    projects: [
      { extends: true as const, test: { name: "slow", include, provide: { database: "sqlite", isWhole: true } } }
    ]
  }
}
