/**
 * Agent: sends members the statement of the month that has ended, if they have chosen so. The letter of a month is
 * handed over once: what it is about to do is written before it is done, and one left in the middle of it is given up,
 * since it may have gone or not.
 */
import { Clock, Effect, Layer, Option } from "effect"
import { recordOf } from "../../audit/Audit.ts"
import { Connections } from "../../connection/Connections.ts"
import { InvoiceSettings } from "../../invoice/InvoiceSettings.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { DirectoryStore } from "../../merchant/DirectoryStore.ts"
import { MerchantStore } from "../../merchant/MerchantStore.ts"
import { Ids } from "../../value/Ids.ts"
import * as Watcher from "../../work/Watcher.ts"
import { MovementStore } from "../statement/MovementStore.ts"
import {
  answered,
  begun,
  daysOfMonth,
  letterReasons,
  letterRoles,
  passedOn,
  type StatementLetter,
  timeOfMonth
} from "./StatementLetter.ts"
import { StatementLetterStore } from "./StatementLetterStore.ts"
import * as StatementLetterText from "./StatementLetterText.ts"

const stopGraceMs = 3_000
/** Statements of a month do not hurry: a minute at least, whatever other letters are looked for. */
const leastPollMs = 60_000

type Needs = StatementLetterStore | MovementStore | DirectoryStore | MerchantStore | Connections | Ids

/** Runs for as long as the layer is open; without a `Mailer` there is nothing to run. */
export const layer: Layer.Layer<never, never, Needs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const mailer = yield* Effect.serviceOption(Mailer)
    if (Option.isSome(mailer)) yield* dispatch(mailer.value)
  })
)

const dispatch = Effect.fnUntraced(function* (mailer: Mailer["Service"]) {
  const store = yield* StatementLetterStore
  const movements = yield* MovementStore
  const directory = yield* DirectoryStore
  const merchants = yield* MerchantStore
  const connections = yield* Connections
  const ids = yield* Ids
  const { mail, baseUrl } = yield* InvoiceSettings
  const { retryWaitsMs, leaseMs, concurrency } = mail

  const pass = (row: StatementLetter, reason: string, now: number) => store.replace(passedOn(row, reason, now))

  /** A wish ends with the membership: a person who comes back chooses anew. */
  const end = Effect.fnUntraced(function* ({ organizationId, accountId }: StatementLetter) {
    const ended = { action: "statement_letters.ended", organizationId, subject: accountId } as const
    yield* store.remove(organizationId, accountId, yield* recordOf(ids, ended))
  })

  /**
   * Who it goes to, with what; a reason, if it goes to no one or has nothing to tell; null, if they are no member any
   * more.
   */
  const letterOf = Effect.fnUntraced(function* ({ organizationId, accountId, month }: StatementLetter) {
    const members = yield* directory.members(organizationId)
    const member = members.find(({ account }) => account.id === accountId)
    if (member === undefined) return null
    const isTold = letterRoles.includes(member.role) && member.account.status === "active"
    const organization = Option.getOrUndefined(yield* merchants.organization(organizationId))
    const email = isTold ? member.account.email : null
    if (email === null || organization?.status !== "active") return letterReasons.noAddress
    const query = { organizationId, mode: "live", connectionId: null, ...timeOfMonth(month) } as const
    const sums = yield* movements.sums(query)
    if (sums.days.length === 0) return letterReasons.nothingMoved
    const names = new Map((yield* connections.list(organizationId)).map(({ id, name }) => [id, name]))
    const { from, to } = daysOfMonth(month)
    return StatementLetterText.render({
      id: `statement.${month}.${organizationId}.${accountId}`,
      to: email,
      organization: organization.name,
      month,
      sums,
      nameOf: (id) => (id === null ? null : (names.get(id) ?? null)),
      link: `${baseUrl}/cabinet/${organizationId}/reports?mode=live&from=${from}&to=${to}`
    })
  })

  const act = Effect.fnUntraced(function* (row: StatementLetter) {
    const now = yield* Clock.currentTimeMillis
    if (row.status === "sending") return yield* Effect.asVoid(pass(row, letterReasons.serverEnded, now))
    const sending = begun(row, now)
    const letter = yield* letterOf(sending)
    if (letter === null) return yield* end(row)
    if (typeof letter === "string") return yield* Effect.asVoid(pass({ ...row, month: sending.month }, letter, now))
    if (!(yield* store.replace(sending))) return
    const outcome = yield* mailer.send(letter)
    const settled = answered(sending, outcome, { now: yield* Clock.currentTimeMillis, retryWaitsMs })
    if (settled.reason !== null) {
      const { organizationId } = row
      yield* Effect.logWarning(`StatementMailer: ${settled.reason}`).pipe(Effect.annotateLogs({ organizationId }))
    }
    yield* store.replace(settled)
  })

  yield* Watcher.run({
    name: "StatementMailer",
    pollMs: Math.max(mail.pollMs, leastPollMs),
    leaseMs,
    batchSize: concurrency,
    atOnce: concurrency,
    graceMs: stopGraceMs,
    claim: store.claim,
    fair: { tenantOf: ({ organizationId }) => ({ organizationId, mode: "live" }), waiting: store.waiting },
    act
  })
})
