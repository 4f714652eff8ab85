/** The parts of a simulation that core lacks: SQLite in memory, the sandbox provider's bank, cryptography. */
import { createHash, createHmac } from "node:crypto"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import * as Stores from "@tolem/adapter-sql/Stores"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import type { Abilities } from "@tolem/core/provider/Abilities"
import type { Call } from "@tolem/core/provider/PaymentProvider"
import { SecretBox } from "@tolem/core/secret/SecretBox"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import type { Fault } from "@tolem/provider-sandbox/Scenario"
import { Effect, Layer, Redacted } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as FaultyDatabase from "./FaultyDatabase.ts"
import type { Bank, MakeParts } from "./Parts.ts"
import * as SharedLock from "./SharedLock.ts"
import type { Simulation } from "./Simulation.ts"

// Sealing is not what is simulated, and costs more than the rest.
const box = Layer.succeed(SecretBox, {
  seal: (secret, context) => Effect.succeed(`v1.simulated.${context}.${Redacted.value(secret)}`),
  open: (sealed) => Effect.succeed(Redacted.make(sealed.split(".").slice(3).join("."))),
  keyId: "simulated",
  rows: {
    seal: (text) => `simulated.${hash(utf8.encode(text)).digest("base64url")}`,
    judge: (text, seal) => (seal === `simulated.${hash(utf8.encode(text)).digest("base64url")}` ? "right" : "wrong"),
    digest: (text) => hash(utf8.encode(text)).digest("base64url"),
    keyId: "simulated"
  }
})

const utf8 = new TextEncoder()

const hash = (data: Uint8Array) => createHash("sha256").update(data)

// Computed at once: what Node computes in other threads is outside of the simulation.
const crypto = Layer.merge(
  Mac.layerWebCryptoWith({ hmac: (name, key, data) => createHmac(name, key).update(data).digest() }),
  Layer.succeed(Digest.Digest, {
    digest: (_, data) => Effect.sync(() => hash(data).digest()),
    digestHex: (_, data) => Effect.sync(() => hash(data).digest("hex"))
  })
)

/** Parts over one database and one bank. */
export const parts: MakeParts = (simulation) => {
  const db = FaultyDatabase.open(simulation.next)
  const lock = SharedLock.make((listener) => simulation.onCrash.push(listener), {
    undo: db.rollback,
    changes: db.changes
  })
  const client = SqliteClient.fromDatabase(db, { filename: ":memory:" }, lock)
  const sql = Layer.effect(SqlClient.SqlClient, client).pipe(Layer.provide(Reactivity.layer))
  const random = SecureRandom.make((size) => Uint8Array.from({ length: size }, () => simulation.between(0, 256)))
  let migrated = false
  return {
    stores: () => {
      const migrations = migrated ? Layer.empty : Migrations.layer()
      migrated = true
      return Stores.layer().pipe(Layer.provide(migrations), Layer.provide(box), Layer.provideMerge(sql))
    },
    troubleStorage: (chance) => {
      db.chance = chance
    },
    bank: bankOf(fair(SandboxBank.make({ qrWindowMs: 60_000, phoneWindowMs: 120_000, can: abilitiesOf(simulation) }))),
    platform: Layer.provideMerge(crypto, Layer.succeed(SecureRandom.SecureRandom, random)),
    close: db.close
  }
}

/** Every fourth bank makes another payment, and another refund, each time it is asked, whatever our id. */
const abilitiesOf = ({ seed }: Simulation): Abilities =>
  seed % 4 === 3 ? { createOnce: false, refundOnce: false } : {}

const repeats = ({ kind }: Fault): boolean => kind === "twice"

/**
 * The bank without scenarios whose way repeats what it carries, if it takes nothing once: against both together nothing
 * helps. An amount chooses them, as any may.
 */
const fair = (bank: SandboxBank.SandboxBank): SandboxBank.SandboxBank => {
  const { book } = bank.control
  const unfair = bank.can.createOnce ? [] : book.all()
  for (const one of unfair) book.define({ ...one, faults: one.faults?.filter(({ fault }) => !repeats(fault)) })
  return bank
}

const bankOf = (bank: SandboxBank.SandboxBank): Bank => ({
  calls: InProcess.make(bank),
  can: bank.can,
  payments: (now) =>
    bank.control.payments(now).map(({ reference, ours, amount, signal }) => ({
      reference,
      ours,
      amount,
      paid: signal._tag === "Paid",
      refunds:
        signal._tag === "Paid" ? signal.refunds.map((refund) => ({ ours: refund.ours, amount: refund.amount })) : []
    })),
  act: (reference, deed, now) => {
    bank.control.act(reference, deed === "refund" ? { does: deed, amount: null, ours: null } : { does: deed }, now)
  },
  disturb: (simulation) => {
    const fault = faultOf(simulation)
    if (repeats(fault) && !bank.can.createOnce) return
    bank.control.faults.add({ call: callOf(simulation), times: 1, fault })
  },
  calm: () => bank.control.faults.clear(),
  loseSessions: () => void bank.control.loseSessions(null),
  code: "111111"
})

const calls: ReadonlyArray<Call | "any"> = ["createQr", "createPush", "cancel", "refund", "refundState", "any"]
const callOf = (simulation: Simulation) => simulation.pick(calls)

const faultOf = (simulation: Simulation): Fault => {
  const done = simulation.chance(0.5)
  const delayMs = simulation.between(100, 20_000)
  return simulation.pick<Fault>([
    { kind: "silence", done },
    { kind: "drop", done },
    { kind: "error", status: 503, done },
    { kind: "garbage", body: "<html>", done },
    { kind: "slow", delayMs },
    { kind: "late", delayMs },
    { kind: "twice" },
    { kind: "throttle", retryAfterMs: simulation.between(100, 10_000) },
    { kind: "lose_session" },
    { kind: "refuse", code: "unavailable", retryable: true },
    { kind: "refuse", code: "other", retryable: false }
  ])
}
