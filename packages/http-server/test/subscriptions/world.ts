/** The whole engine with its agents, on SQLite in memory, under a clock that the test moves. */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine } from "@tolem/core/engine/Engine"
import { defaults, type Settings } from "@tolem/core/engine/Settings"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import type { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { HandOver, type Letter, Mailer } from "@tolem/core/mail/Mailer"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import type { Mode } from "@tolem/core/value/Mode"
import { WebhookSender } from "@tolem/core/webhook/sending/WebhookSender"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { Duration, Effect, Layer, Logger, Redacted } from "effect"
import { Aead, Mac } from "effect/crypto"
import { TestClock } from "effect/testing"

/** Noon in Almaty. */
export const startAt = Date.UTC(2026, 0, 10, 7)

const settingsOf = (pollMs: number): Settings => ({
  ...defaults,
  watcher: { ...defaults.watcher, pollMs },
  webhook: { ...defaults.webhook, pollMs: 3_600_000 },
  mail: { ...defaults.mail, pollMs },
  // Days pass in these tests: what they are not about need not be looked for in each of their minutes.
  reconciliation: { ...defaults.reconciliation, pollMs: 3_600_000 },
  tariffs: { ...defaults.tariffs, pollMs: 3_600_000 }
})

const gcm: Aead.Implementation = {
  encrypt: (key, nonce, plain, aad) => {
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aad)
    return new Uint8Array(Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]))
  },
  decrypt: (key, nonce, sealed, aad) => {
    const [text, tag] = [sealed.subarray(0, -16), sealed.subarray(-16)]
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 }).setAAD(aad).setAuthTag(tag)
    return new Uint8Array(Buffer.concat([decipher.update(text), decipher.final()]))
  }
}

// What Node computes in other threads takes real time, for which the clock of a test does not wait.
const computedAtOnce = Layer.merge(
  Aead.layerWebCryptoWith({ implementations: { aes256Gcm: gcm } }),
  Mac.layerWebCryptoWith({ hmac: (hash, key, data) => createHmac(hash, key).update(data).digest() })
).pipe(Layer.provide(NodeCrypto.layerSecureRandom))

/** What a test wants otherwise: settings, or stores that it watches. */
interface Wishes {
  readonly settings?: (settings: Settings) => Settings
  readonly stores?: Layer.Layer<InvoiceStore, never, InvoiceStore>
}

/** A bank, a postman, and an engine that can be started several times on one database. */
export const world = (pollMs = 600_000, { settings: changed = (same) => same, stores }: Wishes = {}) => {
  const settings = changed(settingsOf(pollMs))
  const bank = SandboxBank.make({ phoneWindowMs: 24 * 3_600_000 })
  const letters: Array<Letter> = []
  const post = { outcome: HandOver.Taken() as HandOver, hangs: false }
  const send = (letter: Letter) =>
    Effect.suspend(() => {
      letters.push(letter)
      return post.hangs ? Effect.never : Effect.succeed(post.outcome)
    })
  const outside = Layer.mergeAll(
    InProcess.layer(bank),
    Layer.succeed(Mailer, { send }),
    Layer.succeed(WebhookSender, { send: () => Effect.never }),
    NodeCrypto.layerDigest,
    NodeCrypto.layerSecureRandom,
    computedAtOnce,
    Logger.layer([])
  )
  const box = SecretBox.layer([Redacted.make("a key for tests only, of no use anywhere else")])
  const sqlite = Sqlite.layer({ filename: ":memory:" }).pipe(Layer.provide(box), Layer.provide(outside))
  const database = stores === undefined ? sqlite : Layer.provideMerge(stores, sqlite)
  const engine = Engine.layer(settings).pipe(Layer.provideMerge(database), Layer.provideMerge(outside))
  /** Starts a server's agents until the scope closes. */
  const agents = Layer.build(Layer.fresh(Engine.agents))
  /** The same, of a server that looks as often as this. */
  const agentsEvery = (everyMs: number) => {
    const slowed = Effect.map(Engine, (parts) => Engine.of({ ...parts, settings: changed(settingsOf(everyMs)) }))
    return Layer.build(Layer.fresh(Layer.provide(Engine.agents, Layer.effect(Engine, slowed))))
  }
  return { bank, letters, post, engine, agents, agentsEvery }
}

/** Lets time pass in steps, so that what falls due happens at its own time. */
export const pass = Effect.fnUntraced(function* (duration: Duration.Input, step: Duration.Input = "10 minutes") {
  for (let left = Duration.toMillis(duration); left > 0; left -= Duration.toMillis(step)) {
    yield* TestClock.adjust(Math.min(left, Duration.toMillis(step)))
    yield* Effect.repeat(Effect.yieldNow, { times: 40 })
  }
})

/** A merchant with a cashier who is logged in. */
export const merchant = Effect.fnUntraced(function* (mode: Mode) {
  yield* TestClock.setTime(startAt)
  const { organizations, connections } = yield* Engine
  const { organization } = yield* organizations.create({
    name: "Dastarkhan",
    ownerPhone: "77001234567",
    tariff: "scale"
  })
  const cashier = yield* connections.create(organization.id, { name: "Till" })
  // Before there is a cashier who works, as one whose session was lost.
  yield* (yield* MerchantStore).setMode(organization.id, mode)
  const logIn = Effect.gen(function* () {
    const { id: processId } = yield* connections.initLogin(organization.id, cashier.id)
    yield* connections.sendPhone(organization.id, cashier.id, { processId, phone: "77010000000" })
    yield* connections.verifyOtp(organization.id, cashier.id, { processId, otp: Redacted.make("111111") })
  })
  const caller: Caller = { organizationId: organization.id, mode, connectionId: null, source: "api" }
  return { caller, logIn, cashier }
})
