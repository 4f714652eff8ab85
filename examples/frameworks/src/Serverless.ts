/** Payments where no process stays: one function answers requests, and a schedule calls another by the minute. */
import { openShop, type ShopOptions } from "./Shop.ts"

/** The two functions. Nothing runs between their calls, so the engine has no agents. */
export const functionsOf = (options: ShopOptions) => {
  const opened = openShop({ ...options, agents: false })
  return {
    /** For every request. */
    fetch: async (request: Request): Promise<Response> => (await opened).payments(request),
    /** By the minute: what has fallen due happens within so long. */
    scheduled: async (forMs = 20_000): Promise<void> => (await opened).engine.tick({ forMs }),
    close: async (): Promise<void> => (await opened).engine.close()
  }
}
