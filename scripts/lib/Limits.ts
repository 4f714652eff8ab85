/** The limits of the interface with the values that the code has, and the tests that hold it to them. */
import { toleranceMs } from "@tolem/api/WebhookVerifier"
import { defaults } from "@tolem/core/engine/Settings"
import { toTenge } from "@tolem/core/value/Money"
import type { TestName } from "@tolem/testing-harness/Calls"
import { typescript } from "./Workspace.ts"

/** A limit, as it reads, and the tests that show it. */
export interface Limit {
  readonly limit: string
  readonly evidence: ReadonlyArray<Evidence>
}

/** A test, by the end of its file's path and its title as the file has it. */
export type Evidence = TestName

const { amount, login, tariffs, webhook } = defaults
const minutes = (ms: number): string => `${ms / 60_000} minutes`
const days = (ms: number): string => `${ms / 86_400_000} days`

const at =
  (file: string) =>
  (name: string): Evidence => ({ file: `${file}.test.ts`, name })

const access = at("http-server/test/access")
const servers = at("cluster/manyServers")
const draft = at("core/test/invoice/InvoiceDraft")
const subscriptionDraft = at("core/test/subscription/SubscriptionDraft")
const tariff = at("http-server/test/tariffs")
const codes = at("http-server/test/login")

const rates = [
  access("are 600 reads and 200 writes a minute and key, counted apart, and start anew each UTC minute"),
  servers("let exactly 200 writes and 600 reads of a key through in a minute")
]
const fields = [subscriptionDraft("answer ${code} to creates and patches alike, and to nothing that is right")]
const quotas = [
  tariff("refuses what is over the day and over the month, and nothing in the sandbox"),
  at("cluster/quotas")("count the live invoices of an organization exactly, and let not one more through")
]

const pauses = webhook.pausesMs.map((ms) => ms / 60_000).join(", ")
const { waitMs, perPhone, perAddress } = login.codes
const plans = tariffs.catalogue.map(({ code, monthlyLimit, dailyLimit }) => `${code} ${monthlyLimit} and ${dailyLimit}`)

/** Every limit. */
export const limits: ReadonlyArray<Limit> = [
  { limit: `Reads per key: ${defaults.readsPerMinute} a minute`, evidence: rates },
  { limit: `Writes per key: ${defaults.writesPerMinute} a minute`, evidence: rates },
  {
    limit: `Public pages per address: ${defaults.pagesPerMinute} a minute`,
    evidence: [
      at("pages/refusals")(
        "is let in exactly as often as the limit says, over all pages, and again in the next minute"
      ),
      at("core/test/access/Visitors")("has one minute over all servers"),
      at("cluster/quotas")("hold the limit of a visitor's views together, wherever in one IPv6 network the visitor is")
    ]
  },
  {
    limit: `Bulk: 1 to ${defaults.maxBulk} invoices`,
    evidence: [at("http-server/test/invoices")("take 1 to 100 elements, else nothing is created")]
  },
  {
    limit: `Page of a list: ${defaults.defaultPageSize}, at most ${defaults.maxPageSize}`,
    evidence: [at("http-server/test/list")("moves limit and offset to the nearest bound and says so")]
  },
  {
    limit: `QR scan window: ${minutes(defaults.qrWindowMs)}`,
    evidence: [at("http-server/test/invoices")("answers 201 with every member of the specification, and no other")]
  },
  {
    limit: `Webhook answer time: ${webhook.timeoutMs / 1000} seconds`,
    evidence: [at("adapter-node/test/NodeWebhookSender")("ends in time when no answer comes")]
  },
  {
    limit: `Webhook timestamp tolerance: ${toleranceMs / 1000} seconds`,
    evidence: [at("api/test/WebhookVerifier")("takes 300 seconds of difference either way, and not one more")]
  },
  {
    limit: `Webhook retries: ${webhook.retryWaitsMs.length}`,
    evidence: [
      at("sending/EndpointHealth")("waits 10 seconds to 1 hour between 12 attempts, about 2 hours in all"),
      at("sending/WebhookDispatcher")(
        "follows the ladder: 12 attempts in about 2 hours, each freshly signed, under one delivery id"
      )
    ]
  },
  {
    limit: `Webhook pauses: after ${webhook.failuresToPause} failures, ${pauses} minutes`,
    evidence: [
      at("sending/WebhookDispatcher")("rests after five failures in a row, then lets one probe go first, ever later")
    ]
  },
  {
    limit: `Webhook endpoints of an organization and mode: ${webhook.maxEndpoints}`,
    evidence: [
      at("http-server/test/webhookEndpoints")("is one of ten at most, in each mode, even when all are added at once")
    ]
  },
  { limit: "Subscription `every`: 1 to 12", evidence: fields },
  { limit: "Subscription `dayOfMonth`: 1 to 28", evidence: fields },
  { limit: "Retry ladder: at most 5 values", evidence: fields },
  {
    limit: "`description`: 100 characters, 60 for kind phone",
    evidence: [draft("description may have 100 characters for qr and 60 for phone, counted as people count")]
  },
  { limit: "`description` of subscriptions: 60 characters", evidence: fields },
  {
    limit: "`externalOrderId`: 100 characters",
    evidence: [draft("externalOrderId may have 100 characters, and not one more")]
  },
  {
    limit: `Amount: ${toTenge(amount.min)} to ${toTenge(amount.maxQr)} tenge, phone to ${toTenge(amount.maxPhone)}`,
    evidence: [draft("of kind phone is whole tenge, which is checked before the limits")]
  },
  { limit: `Live invoices by tariff, a month and a day: ${plans.join("; ")}`, evidence: quotas },
  {
    limit: `Trial: ${days(tariffs.trialMs)}`,
    evidence: [tariff("that is a trial ends after seven days, the sandbox goes on")]
  },
  {
    limit: `Referral: ${tariffs.referralPercent} percent of a payment for a tariff`,
    evidence: [
      tariff("starts when its invoice is paid, is prolonged by the next, and gives the referrer their share once")
    ]
  },
  {
    limit: `Payment links of an organization and mode: ${defaults.maxPaymentLinks}`,
    evidence: [
      at("http-server/test/paymentLinks")("is one of a hundred at most, in each mode, even when all are added at once")
    ]
  },
  {
    limit: `Form hooks of an organization and mode: ${defaults.maxFormHooks}`,
    evidence: [at("http-server/test/formHooks")("is one of a hundred at most, even when all are added at once")]
  },
  {
    limit: `Login code: lives ${minutes(login.codeMs)}, ${login.maxTries} tries`,
    evidence: [
      codes("lives for five minutes, and belongs to its own login"),
      codes("that is wrong may be tried five times; the sixth try fails whatever it is")
    ]
  },
  {
    limit: `Login codes: one in ${waitMs / 1000} seconds, ${perPhone} a day for a phone, ${perAddress} for an address`,
    evidence: [codes("are one a minute and ten a day for a phone"), codes("are thirty a day for an address")]
  },
  {
    limit: `Session of the cabinet: ${days(login.session.idleMs)} idle, ${days(login.session.maxMs)} in all`,
    evidence: [codes("ends after seven days without use, and after thirty in any case")]
  }
]

/** The tests with the paths of their files. Those that are not there are left out. */
export const testsOf = (evidence: ReadonlyArray<Evidence>): ReadonlyArray<TestName> =>
  evidence.flatMap((wanted) =>
    typescript()
      .filter(({ path, text }) => path.endsWith(wanted.file) && text.includes(wanted.name))
      .map(({ path }) => ({ file: path, name: wanted.name }))
  )
