/** Merchants of the live benchmark: an organization with a logged-in cashier and a live key each. */
import { nodePlatform } from "@tolem/adapter-node"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine } from "@tolem/core/engine/Engine"
import { KeyScope } from "@tolem/core/merchant/Merchant"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import * as HttpProvider from "@tolem/provider-sandbox/HttpProvider"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { secretKey } from "../Children.ts"

/** Who creates invoices. */
export interface Till {
  readonly apiKey: string
}

/** Adds them to the database. */
export const addCashiers = (file: string, providerUrl: string, count: number): Promise<ReadonlyArray<Till>> => {
  const engine = Engine.layer().pipe(
    Layer.provide(HttpProvider.layer({ url: providerUrl }).pipe(Layer.provide(FetchHttpClient.layer))),
    Layer.provide(Sqlite.layer({ filename: file })),
    Layer.provide(SecretBox.layer([Redacted.make(secretKey)])),
    Layer.provide(nodePlatform())
  )
  const add = Effect.fnUntraced(function* (number: number) {
    const { organizations, modes, connections } = yield* Engine
    const phone = `7701${String(number).padStart(7, "0")}`
    const { organization } = yield* organizations.create({
      name: `Till ${number}`,
      ownerPhone: phone,
      tariff: "scale"
    })
    const { id } = yield* connections.create(organization.id, { name: "Till" })
    const { id: processId } = yield* connections.initLogin(organization.id, id)
    yield* connections.sendPhone(organization.id, id, { processId, phone })
    yield* connections.verifyOtp(organization.id, id, { processId, otp: Redacted.make("111111") })
    yield* modes.switchTo(organization.id, "live")
    const request = { organizationId: organization.id, mode: "live", name: "b", scopes: KeyScope.literals } as const
    const key = yield* organizations.createKey(request)
    return { apiKey: Redacted.value(key.text) }
  })
  const all = Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    add
  )
  return Effect.runPromise(Effect.provide(all, engine))
}
