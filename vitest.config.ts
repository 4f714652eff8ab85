import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    globalSetup: "testing/postgres/src/globalSetup.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2
  }
})
