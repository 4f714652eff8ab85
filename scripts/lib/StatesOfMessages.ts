/** Machines of what goes out and of who sends it: deliveries, endpoints, letters, connections. */
import { after, type Connection, newConnection, type Transition } from "@tolem/core/connection/Connection"
import { decideMail, type Mail, MailCommand } from "@tolem/core/mail/Mail"
import { mailDefaults } from "@tolem/core/mail/MailSettings"
import { about } from "@tolem/core/mail/NewMail"
import { deliveryAfter, newDelivery } from "@tolem/core/webhook/Delivery"
import {
  type EndpointHealth,
  healthAfter,
  healthy,
  isPaused,
  outcomeOf
} from "@tolem/core/webhook/sending/EndpointHealth"
import type { Delivery } from "@tolem/core/webhook/Webhook"
import { webhookDefaults } from "@tolem/core/webhook/WebhookSettings"
import { Redacted, Result } from "effect"
import type { Machine } from "./Chart.ts"

const now = 1_767_225_600_000
const { webhook: policy } = webhookDefaults

const endpoint = { id: "we_1", organizationId: "org_1", mode: "live" } as const
const delivery = newDelivery(
  endpoint,
  { id: "dlv_1", kind: "invoice.paid", invoiceId: "inv_1", eventId: "evt_1", sequence: 2 },
  now
)
const attempted = (given: Delivery, number: number, delivered: boolean) => {
  const outcome = outcomeOf({ number, claimedAt: 0, delivered, endedAt: now }, healthy, policy)
  const next = deliveryAfter(given, number, outcome, now)
  return next === given ? null : next
}

/** See `deliveryAfter`. */
export const deliveryMachine: Machine<Delivery> = {
  title: "Delivery of an event",
  about: "What still waits when its endpoint is removed is failed, too.",
  stateOf: ({ status }) => status,
  begins: [["an event that the endpoint wants", delivery]],
  examples: (["pending", "delivered", "failed"] as const).map((status) => ({ ...delivery, status })),
  moves: [
    ["answered 2xx", (row) => attempted(row, 1, true)],
    ["attempt fails", (row) => attempted(row, 1, false)],
    ["last attempt fails", (row) => attempted(row, policy.retryWaitsMs.length + 1, false)]
  ]
}

const healthState = (health: EndpointHealth) =>
  health.failureCount === 0
    ? "healthy"
    : health.pausedUntil === null
      ? "failing"
      : isPaused(health, now)
        ? "paused"
        : "probing"
const tried = (health: EndpointHealth, delivered: boolean) => {
  const claimedAt = health.pauseCount
  const outcome = outcomeOf({ number: 1, claimedAt, delivered, endedAt: now }, health, policy)
  return healthAfter({ outcome, claimedAt }, health)
}
const paused: EndpointHealth = { failureCount: policy.failuresToPause, pauseCount: 1, pausedUntil: now + 1 }

/** See `outcomeOf` and `healthAfter`. */
export const endpointMachine: Machine<EndpointHealth> = {
  title: "Health of an endpoint",
  about:
    "None of these is stored as a word: they are what the counters say. A paused one gets what was under way only.",
  stateOf: healthState,
  begins: [["add", healthy]],
  examples: [
    healthy,
    { ...healthy, failureCount: 1 },
    { ...healthy, failureCount: policy.failuresToPause - 1 },
    paused,
    { ...paused, pausedUntil: now }
  ],
  moves: [
    ["answered 2xx", (health) => (healthState(health) === "healthy" ? null : tried(health, true))],
    ["attempt fails", (health) => tried(health, false)],
    ["the pause ends", (health) => (isPaused(health, now) ? { ...health, pausedUntil: now } : null)]
  ]
}

const subject = { id: "inv_1", organizationId: "org_1", mode: "sandbox", customer: { email: "a@b.kz" } } as const
const letter = about(subject, "invoice", "mai_1", now)!
const onTry = (attempts: number) => (mail: Mail) => ({ ...mail, attempts })
const mailMove = (command: MailCommand, given: (mail: Mail) => Mail = onTry(1)) => {
  const waits = { now, retryWaitsMs: mailDefaults.mail.retryWaitsMs }
  return (mail: Mail) => Result.getOrNull(decideMail(given(mail), command, waits))
}
const reason = "…"

/** See `decideMail`. */
export const letterMachine: Machine<Mail> = {
  title: "Letter",
  about: "None is handed over twice: what may have been taken is `unknown`. Only the merchant has one sent again.",
  stateOf: ({ status }) => status,
  begins: [["an invoice with an address", letter]],
  examples: (["pending", "sending", "sent", "failed", "unknown", "kept"] as const).map((status) => ({
    ...letter,
    status
  })),
  moves: [
    ["hand over", mailMove(MailCommand.Begin())],
    ["taken", mailMove(MailCommand.Take())],
    ["refused for now", mailMove(MailCommand.Reject({ reason, retryable: true }))],
    ["refused for good", mailMove(MailCommand.Reject({ reason, retryable: false }))],
    ["refused for the last time", mailMove(MailCommand.Reject({ reason, retryable: true }), onTry(99))],
    ["no answer, or the server ends", mailMove(MailCommand.Doubt({ reason }))],
    ["one too many, or to a stranger from a sandbox", mailMove(MailCommand.Keep({ reason }))],
    ["nothing to say any more", mailMove(MailCommand.Drop({ reason }))],
    ["the merchant has it sent again", mailMove(MailCommand.Again())]
  ]
}

const session = Redacted.make("…")
const cashier = newConnection({ id: "con_1", organizationId: "org_1", name: "…", session: null, now })
const transition = (given: Transition) => (connection: Connection) => {
  const next = after(connection, given, now)
  return next === connection ? null : next
}

/** See `after` of connections. */
export const connectionMachine: Machine<Connection> = {
  title: "Connection",
  about: "Enabled again, a cashier is as logged in as before.",
  stateOf: ({ status }) => status,
  begins: [
    ["add", cashier],
    ["add with a session", newConnection({ id: "con_1", organizationId: "org_1", name: "…", session, now })]
  ],
  examples: [
    cashier,
    { ...cashier, status: "active", session },
    { ...cashier, status: "expired" },
    { ...cashier, status: "disabled" },
    { ...cashier, status: "disabled", session }
  ],
  moves: [
    ["log in", transition({ _tag: "LoggedIn", session, phone: null })],
    ["the provider ends the session", transition({ _tag: "SessionLost" })],
    ["disable", transition({ _tag: "Disabled" })],
    ["enable", transition({ _tag: "Enabled" })],
    ["make the default", transition({ _tag: "MadeDefault" })]
  ]
}
