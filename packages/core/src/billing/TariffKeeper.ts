/** Agent: lets tariffs that were paid take effect. */
import { Effect, Layer } from "effect"
import { MerchantSettings } from "../merchant/MerchantSettings.ts"
import { TariffStore } from "../tariff/TariffStore.ts"
import * as Watcher from "../work/Watcher.ts"
import { TariffSales } from "./TariffSales.ts"

const leaseMs = 20_000
const batchSize = 32
const stopGraceMs = 3_000

/** Runs for as long as the layer is open. What several servers do at once is written once. */
export const layer: Layer.Layer<never, never, TariffStore | TariffSales> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* TariffStore
    const sales = yield* TariffSales
    const { tariffs } = yield* MerchantSettings
    yield* Watcher.run({
      name: "TariffKeeper",
      pollMs: tariffs.pollMs,
      leaseMs,
      batchSize,
      atOnce: batchSize,
      graceMs: stopGraceMs,
      claim: (now, _until, limit) => store.paidOrders(now - tariffs.orderMs, limit),
      act: sales.fulfil
    })
  })
)
