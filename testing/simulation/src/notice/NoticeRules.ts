/**
 * What must hold of messages to members after a history: all that a member sees is told, or counted as what may have
 * been; nothing is told twice, to the wrong person, or in quiet hours.
 */
import type { InvoiceDetail } from "@tolem/core/invoice/InvoiceStore"
import type { Role } from "@tolem/core/merchant/Merchant"
import type { TroubleKind } from "@tolem/core/notice/Gathered"
import type { NoticeLine } from "@tolem/core/notice/NoticeLine"
import { Effect } from "effect"
import type { Stored } from "../Stored.ts"
import { quietFrom, type ToldLine, type ToldMember } from "./Members.ts"
import type { HandedOver } from "./Post.ts"

/** What waits of a member's line; `line` null: there is none. */
export interface FoundLine {
  readonly member: ToldMember
  readonly told: ToldLine
  readonly line: NoticeLine | null
}

/** Reads the lines of all members. */
export const readLines = Effect.fnUntraced(function* (members: ReadonlyArray<ToldMember>, { notices }: Stored) {
  const found: Array<FoundLine> = []
  for (const member of members) {
    for (const told of member.lines) {
      const { organizationId, accountId } = member
      const lines = yield* notices.list({ organizationId, accountId, mode: told.mode })
      found.push({ member, told, line: lines.find(({ channel }) => channel === told.channel) ?? null })
    }
  }
  return found
})

/** What a message may be under way for: its server is up to a second off, and may have stood still. */
const lateMs = (freezes: boolean) => (freezes ? 100_000 : 15_000)
const skewMs = 1500
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Almaty is five hours ahead. */
const almatyMs = 5 * 60 * minuteMs

/** What of troubles each role does not see. */
const hidden: Readonly<Record<Role, ReadonlyArray<TroubleKind>>> = {
  owner: [],
  manager: [],
  accountant: ["endpoint_paused", "delivery_given_up"],
  developer: ["reconciliation_difference"],
  cashier: ["endpoint_paused", "delivery_given_up", "subscription_stuck", "reconciliation_difference"]
}

/** How the history went. */
export interface Circumstances {
  readonly freezes: boolean
  /** From when on no server crashed in the midst of something, and no statement failed. */
  readonly calmAt: number
}

/** The promises that were broken. */
export const brokenNotices = (
  found: ReadonlyArray<FoundLine>,
  handedOver: ReadonlyArray<HandedOver>,
  details: ReadonlyArray<InvoiceDetail>,
  circumstances: Circumstances
): ReadonlyArray<string> => {
  const known = new Set(found.map(({ told: { to, mode } }) => `${to} ${mode}`))
  const unwished = handedOver.filter(({ to, content }) => !known.has(`${to} ${content.mode}`))
  return [
    ...unwished.map(({ to, content }) => `${to} was told of ${content.mode}, which they have not chosen`),
    ...found.flatMap((one) => {
      const { member, told } = one
      const { to, mode } = told
      const payments = paymentsOf(one, details)
      const messages = handedOver.filter((each) => each.to === to && each.content.mode === mode)
      // With a chat that has ended ends what waits for it, in both modes.
      const isEnded = handedOver.some((each) => each.to === to && each.answer === "Blocked")
      const sums = member.removedAt !== null || isEnded ? [] : brokenSums(one, messages, payments.length, circumstances)
      return [...brokenLine(one, messages, payments, circumstances), ...sums]
    })
  ]
}

/** The payments that the member sees, by the merchant's own numbers. */
const paymentsOf = ({ member, told: { mode } }: FoundLine, details: ReadonlyArray<InvoiceDetail>) =>
  details
    .filter(
      ({ invoice, events }) =>
        invoice.organizationId === member.organizationId &&
        invoice.mode === mode &&
        events.some(({ type }) => type === "invoice.paid") &&
        (member.role !== "cashier" ||
          mode === "sandbox" ||
          member.connectionIds.some((id) => id === invoice.connectionId))
    )
    .map(({ invoice }) => invoice.externalOrderId)

const brokenLine = (
  { member, told }: FoundLine,
  messages: ReadonlyArray<HandedOver>,
  payments: ReadonlyArray<string | null>,
  circumstances: Circumstances
): ReadonlyArray<string> => {
  const arrived = messages.filter((message) => message.arrived)
  const named = arrived.flatMap(({ content }) => content.names)
  const twice = [...new Set(named)].filter((name) => countOf(named, name) > countOf(payments, name))
  const sum = arrived.reduce((count, { content }) => count + content.payments, 0)
  const strange = messages.flatMap(({ content }) => [
    ...content.strange.map((text) => `was told ${text}`),
    ...(content.organization === member.organization ? [] : [`was told of ${content.organization}`]),
    ...content.troubles.filter((kind) => isHidden(member, told, kind)).map((kind) => `was told of ${kind}`)
  ])
  const late = messages.filter(
    ({ at }) => member.removedAt !== null && at > member.removedAt + lateMs(circumstances.freezes)
  )
  const disturbed = messages.filter(({ at }) => isQuiet(told, at, lateMs(circumstances.freezes)))
  return [
    ...twice.map((name) =>
      payments.includes(name)
        ? `was told twice of the payment ${name}`
        : `was told of the payment ${name}, which is not theirs to see`
    ),
    ...(sum > payments.length ? [`was told ${sum} times of ${payments.length} payments`] : []),
    ...strange,
    ...late.map(({ at }) => `was told ${at - (member.removedAt ?? 0)} ms after they were removed`),
    ...disturbed.map(({ at }) => `was told in quiet hours, at ${new Date(at + almatyMs).toISOString().slice(11, 19)}`)
  ].map((what) => `${whoOf(member, told)} ${what}`)
}

const whoOf = ({ role }: ToldMember, { to, mode }: ToldLine) => `${to} (${role}, ${mode})`

const countOf = (names: ReadonlyArray<string | null>, name: string) => names.filter((each) => each === name).length

const isHidden = ({ role, connectionIds: [own] }: ToldMember, { mode }: ToldLine, kind: TroubleKind): boolean =>
  // The second till never logs in, so its session is never lost.
  hidden[role].includes(kind) || (role === "cashier" && mode === "live" && own === undefined)

const isQuiet = ({ quietTo }: ToldLine, at: number, underWayMs: number): boolean => {
  if (quietTo === null) return false
  const time = (at + almatyMs) % dayMs
  return time > quietFrom * minuteMs + underWayMs && time < quietTo * minuteMs - skewMs
}

/** All payments are in messages that were taken, or wait; of a message that may have been, the next one tells. */
const brokenSums = (
  { member, told, line }: FoundLine,
  messages: ReadonlyArray<HandedOver>,
  payments: number,
  { calmAt }: Circumstances
): ReadonlyArray<string> => {
  const who = whoOf(member, told)
  if (line === null) return [`${who} has no wishes any more`]
  const { paid, late, doubt } = line.gathered
  const waiting = paid.count + late.count + (doubt?.count ?? 0)
  const taken = messages.filter(({ arrived }) => arrived)
  const isCertain = ({ answer, at }: HandedOver) => answer === "Taken" && at > calmAt
  const sizeOf = ({ content }: HandedOver) => content.payments + content.doubted
  // Which of the others their servers have noted as taken cannot be seen from here: some choice of them must do.
  let sums = new Set([taken.filter(isCertain).reduce((sum, each) => sum + sizeOf(each), waiting)])
  for (const message of taken.filter((each) => !isCertain(each))) {
    sums = new Set([...sums].flatMap((sum) => [sum, sum + sizeOf(message)]))
  }
  return [
    ...(sums.has(payments) ? [] : [`${who} was told of ${[...sums].join(" or ")} payments, and there are ${payments}`]),
    ...(waiting > 0 ? [`${who} is still not told of ${waiting} payments (${line.status})`] : [])
  ]
}
