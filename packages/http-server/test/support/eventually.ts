import { vi } from "vitest"

/** What `check` answers once it does not throw; a minute is enough on the busiest machine. */
export const eventually = <A>(check: () => Promise<A> | A): Promise<A> =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 })
