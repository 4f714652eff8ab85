/** An application with the engine in live mode, over a simulated bank. */
import type { EmbeddedEngine } from "@tolem/core"
import type { Abilities } from "@tolem/core/provider/Abilities"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { Effect, Layer } from "effect"
import { openShop } from "./shop.ts"

const quick = { watcher: { pollMs: 20, leaseMs: 3_000 } }

/** Notes what the provider is asked to make, before it is. */
const noting = (layer: Layer.Layer<PaymentProvider>, asked: Array<string>) =>
  Layer.effect(
    PaymentProvider,
    Effect.map(PaymentProvider, (provider) => ({
      ...provider,
      createQr: (order) => {
        asked.push(order.ours)
        return provider.createQr(order)
      }
    }))
  ).pipe(Layer.provide(layer))

/** The shop in live mode over a simulated bank. `asked`: the invoices that it was asked to make a code for. */
export const openLive = async ({ can, timeoutMs }: { readonly can?: Abilities; readonly timeoutMs?: number } = {}) => {
  const database = await openShop()
  const bank = SandboxBank.make({ can })
  const asked: Array<string> = []
  const provider = noting(InProcess.layer(bank, { timeoutMs }), asked)
  const engine = await database.start({ agents: false, provider })
  const { organizationId } = database.tenant
  const { id } = await engine.connections.create(organizationId, { name: "Till" })
  const { processId } = await engine.connections.initLogin(organizationId, id)
  await engine.connections.sendPhone(organizationId, id, { processId, phone: "77010000000" })
  await engine.connections.verifyOtp(organizationId, id, { processId, otp: "111111" })
  await engine.organizations.switchMode(organizationId, "live")
  const payments = () => bank.control.payments(Date.now())
  const shop = engine.of({ organizationId, mode: "live" })
  const agents = (): Promise<EmbeddedEngine> => database.start({ provider, settings: quick })
  return { ...database, bank, provider, engine, shop, payments, asked, agents }
}
