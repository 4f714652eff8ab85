/** An application with the engine in live mode, over a simulated bank. */
import type { EmbeddedEngine } from "@tolem/core"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { openShop } from "./shop.ts"

const quick = { watcher: { pollMs: 20, leaseMs: 3_000 } }

/** The shop in live mode over a simulated bank. */
export const openLive = async () => {
  const database = await openShop()
  const bank = SandboxBank.make({})
  const provider = InProcess.layer(bank)
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
  return { ...database, bank, provider, engine, shop, payments, agents }
}
