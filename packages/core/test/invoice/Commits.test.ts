/** New invoices of several callers in one write, while a transaction of one of the callers may be in its way. */
import { describe, it } from "@effect/vitest"
import { creationOf } from "@tolem/testing/fixtures"
import { Cause, Deferred, Effect, type Exit, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { assert } from "vitest"
import { defaults, Settings } from "../../src/engine/Settings.ts"
import { isInTheWay, StorageError, TransactionInTheWay } from "../../src/error/StorageError.ts"
import { Commits } from "../../src/invoice/Commits.ts"
import { type Creation, Insertion, InvoiceStore, type KnownInsertion } from "../../src/invoice/InvoiceStore.ts"
import { Ids } from "../../src/value/Ids.ts"
import { Hints } from "../../src/work/Hints.ts"
import { IsImpatient, impatiently } from "../../src/work/OpenTransaction.ts"

const failedWith = (cause: Error) =>
  new StorageError({ operation: "InvoiceStore.insertMany", outcome: "nothing_written", retryable: true, cause })

const inTheWay = failedWith(new TransactionInTheWay("open"))
const lost = failedWith(new Error("lost"))

const unanswered = (error: StorageError) => Insertion.Unanswered({ cause: Cause.fail(error) })
const created = ({ invoice }: Creation) => Insertion.Created({ invoice })
const replayed = ({ invoice }: Creation) => Insertion.Replayed({ invoice })

const names = ["hasty", "patient", "other"] as const

/** One create of each, in one write; `first` is what becomes of that, `then` of each write after it. */
const together = (
  first: (creations: ReadonlyArray<Creation>) => Effect.Effect<ReadonlyArray<Insertion>, StorageError>,
  then: (creations: ReadonlyArray<Creation>) => Effect.Effect<ReadonlyArray<Insertion>, StorageError>
) =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const writes: Array<string> = []
    const insertMany = Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>) {
      const of = creations.map(({ invoice }) => invoice.description ?? "").join(" ")
      if (of === "blocker") {
        yield* Deferred.await(gate)
        return creations.map(created)
      }
      writes.push(`${of}${(yield* IsImpatient) ? ", hastily" : ""}`)
      return yield* writes.length === 1 ? first(creations) : then(creations)
    })
    const layer = Commits.layer.pipe(
      Layer.provide(Layer.mock(InvoiceStore, { insertMany })),
      Layer.provide(Layer.succeed(Settings, { ...defaults, batch: { ...defaults.batch, writers: 1 } })),
      Layer.provide(Layer.merge(Hints.layer, Ids.layer.pipe(Layer.provide(SecureRandom.layerWebCrypto))))
    )
    return yield* Effect.gen(function* () {
      const { insert } = yield* Commits
      const ask = (description: string) => Effect.forkChild(Effect.exit(insert(creationOf({ description }))))
      const turns = Effect.repeat(Effect.yieldNow, { times: 20 })
      yield* ask("blocker")
      yield* turns
      const asked = yield* Effect.forEach(names, (name) => (name === "hasty" ? impatiently(ask(name)) : ask(name)))
      yield* turns
      yield* Deferred.succeed(gate, undefined)
      const exits = yield* Effect.forEach(asked, Fiber.join)
      return { writes, answers: exits.map(answerOf) }
    }).pipe(Effect.provide(Layer.fresh(layer)))
  }).pipe(Effect.scoped)

const answerOf = (exit: Exit.Exit<KnownInsertion, StorageError>): string => {
  if (exit._tag === "Success") return exit.value._tag
  const error = Cause.findErrorOption(exit.cause)
  if (error._tag === "None") return "died"
  return isInTheWay(error.value) ? "in the way" : "lost"
}

const both = ["hasty patient other, hastily", "patient other"]

describe("those who wait patiently", () => {
  it.effect("are tried again by themselves when the write is given up for another", () =>
    Effect.gen(function* () {
      const whole = yield* together(
        () => Effect.fail(inTheWay),
        (creations) => Effect.succeed(creations.map(created))
      )
      assert.deepStrictEqual(whole, { writes: both, answers: ["in the way", "Created", "Created"] })
    })
  )

  it.effect("are so too when part of it was written before, and none of that is written again", () =>
    Effect.gen(function* () {
      const [hastyWritten, hastyNot] = [
        yield* together(
          ([hasty]) => Effect.succeed([created(hasty!), unanswered(inTheWay), unanswered(inTheWay)]),
          ([patient]) => Effect.succeed([replayed(patient!), unanswered(lost)])
        ),
        yield* together(
          ([, , other]) => Effect.succeed([unanswered(inTheWay), unanswered(inTheWay), created(other!)]),
          () => Effect.fail(lost)
        )
      ]
      assert.deepStrictEqual(hastyWritten, { writes: both, answers: ["Created", "Replayed", "lost"] })
      assert.deepStrictEqual(hastyNot, { writes: [both[0], "patient"], answers: ["in the way", "lost", "Created"] })
    })
  )

  it.effect("are not, for what is no fault of another's haste", () =>
    Effect.gen(function* () {
      const answered = yield* together(
        ([hasty]) => Effect.succeed([created(hasty!), unanswered(lost), unanswered(lost)]),
        () => Effect.die("written again")
      )
      assert.deepStrictEqual(answered, { writes: [both[0]], answers: ["Created", "lost", "lost"] })
    })
  )
})
