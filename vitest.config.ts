import { defineConfig } from "vitest/config"

const project = (name: string, include: ReadonlyArray<string>, database: "sqlite" | "postgres") => ({
  extends: true as const,
  test: { name, include: [...include], provide: { database } }
})

export default defineConfig({
  test: {
    globalSetup: "testing/postgres/src/globalSetup.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than the cores of a small machine: many tests wait for leases and processes.
    maxWorkers: 3,
    projects: [
      project(
        "sqlite",
        ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
        "sqlite"
      ),
      // The whole set of HTTP tests once more, on PostgreSQL.
      project(
        "postgres",
        ["packages/http-server/test/*.test.ts", "packages/http-server/test/pages/*.test.ts"],
        "postgres"
      )
    ]
  }
})
