/** A dispatcher of letters under the test clock, with a store and a postman in memory. */
import { accountOf, invoiceOf, organizationOf, startAt } from "@tolem/testing/fixtures"
import { Clock, Duration, Effect, Layer, Logger, Option } from "effect"
import { TestClock } from "effect/testing"
import { defaults, Settings } from "../../src/engine/Settings.ts"
import { StorageError } from "../../src/error/StorageError.ts"
import { noFace } from "../../src/face/MerchantFace.ts"
import type { Invoice } from "../../src/invoice/Invoice.ts"
import { InvoiceStore } from "../../src/invoice/InvoiceStore.ts"
import * as MailDispatcher from "../../src/letters/MailDispatcher.ts"
import type { Mail } from "../../src/mail/Mail.ts"
import { HandOver, type Letter, Mailer } from "../../src/mail/Mailer.ts"
import { MailStore } from "../../src/mail/MailStore.ts"
import { DirectoryStore } from "../../src/merchant/DirectoryStore.ts"

interface Sent {
  readonly letter: Letter
  /** What the store held of it at that moment. */
  readonly stored: Mail
  readonly at: number
}

const away = Effect.fail(
  new StorageError({ operation: "MailStore", outcome: "nothing_written", retryable: true, cause: "away" })
)
const unused = Effect.die(new Error("A dispatcher of letters has no use for this"))

export const world = (settings: Settings = defaults) => {
  const mails = new Map<string, Mail>()
  const invoices = new Map<string, Invoice>()
  const sent: Array<Sent> = []
  const logs: Array<string> = []
  const post = { outcome: HandOver.Taken() as HandOver }
  /** `settles`: how many of the next fail. `begins`: another server is always first. */
  const broken = { settles: 0, begins: false }
  let claims = 0
  const organization = organizationOf(accountOf(), { id: "org_shop", name: "Дастархан" })
  /** Their addresses, by organization. */
  const members = new Map<string, ReadonlyArray<string>>()

  const due = (members: Partial<Mail>, about: Partial<Invoice>): string => {
    const invoice = invoiceOf({ mode: "live", ...about })
    invoices.set(invoice.id, invoice)
    const mail: Mail = {
      id: "mai_1",
      kind: "invoice",
      organizationId: invoice.organizationId,
      mode: invoice.mode,
      invoiceId: invoice.id,
      recipient: "aliya@example.kz",
      status: "pending",
      attempts: 0,
      resent: 0,
      reason: null,
      dueAt: startAt,
      createdAt: startAt,
      completedAt: null,
      ...members
    }
    mails.set(mail.id, mail)
    return mail.id
  }

  const store: MailStore["Service"] = {
    claim: (now, until, limit) =>
      Effect.sync(() => {
        claims++
        const found = [...mails.values()].filter(({ dueAt }) => dueAt !== null && dueAt <= now).slice(0, limit)
        return found.map((mail) => {
          const leased = { ...mail, dueAt: until }
          mails.set(mail.id, leased)
          return leased
        })
      }),
    waiting: () => Effect.succeed({ tenants: [], next: null }),
    forget: () => Effect.succeed(0),
    begin: ({ id, dueAt }) =>
      Effect.sync(() => {
        const mail = mails.get(id)
        if (broken.begins || mail?.status !== "pending" || mail.dueAt !== dueAt) return "Changed" as const
        mails.set(id, { ...mail, status: "sending", attempts: mail.attempts + 1 })
        return "Begun" as const
      }),
    settle: ({ id, status, reason, dueAt, completedAt }) =>
      Effect.suspend(() => {
        if (broken.settles-- > 0) return away
        const mail = mails.get(id)
        if (mail?.status === "pending" || mail?.status === "sending") {
          mails.set(id, { ...mail, status, reason, dueAt, completedAt })
        }
        return Effect.void
      }),
    sendAgain: (previous, next) =>
      Effect.sync(() => {
        const mail = mails.get(previous.id)
        if (mail?.status !== previous.status || mail.resent !== previous.resent) return false
        mails.set(previous.id, next)
        return true
      }),
    list: (organizationId, invoiceId) =>
      Effect.sync(() =>
        [...mails.values()].filter((mail) => mail.organizationId === organizationId && mail.invoiceId === invoiceId)
      )
  }

  const send = (letter: Letter) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      sent.push({ letter, stored: mails.get(letter.id)!, at })
      return post.outcome
    })

  const stores = Layer.mergeAll(
    Layer.succeed(MailStore, store),
    Layer.succeed(DirectoryStore, {
      members: () => unused,
      addresses: (id) => Effect.sync(() => members.get(id) ?? []),
      accounts: () => unused,
      organizations: () => unused,
      account: () => unused,
      addAccount: () => unused,
      setEmail: () => unused,
      setName: () => unused,
      parts: () => unused,
      setMember: () => unused,
      changeMember: () => unused,
      removeMember: () => unused
    }),
    Layer.succeed(InvoiceStore, {
      find: () => unused,
      versions: () => unused,
      findSold: (id) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(invoices.get(id)), (invoice) => ({
            invoice,
            seller: { name: organization.name, legalName: null, idn: null, face: noFace, logo: null }
          }))
        ),
      findRefund: () => unused,
      findKey: () => unused,
      insertMany: () => unused,
      commitMany: () => unused,
      recount: () => unused,
      details: () => unused,
      history: () => unused,
      list: () => unused,
      claim: () => unused,
      waiting: () => unused,
      rescheduleMany: () => unused
    }),
    Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))])
  )
  const dispatcher = MailDispatcher.layer.pipe(Layer.provide(stores), Layer.provide(Layer.succeed(Settings, settings)))
  /** Starts a dispatcher in the current scope. */
  const started = () => Layer.build(Layer.provide(dispatcher, Layer.succeed(Mailer, { send })))
  const startedWithout = Layer.build(dispatcher)
  return { mails, members, sent, logs, post, broken, due, started, startedWithout, claims: () => claims }
}

/** Sets the clock. */
export const began = TestClock.setTime(startAt)

/** Lets time pass in steps, and whatever is ready after each run. */
export const pass = (seconds: number, steps = 20) =>
  Effect.repeat(
    Effect.andThen(TestClock.adjust(Duration.seconds(seconds / steps)), Effect.repeat(Effect.yieldNow, { times: 20 })),
    { times: steps - 1 }
  )
