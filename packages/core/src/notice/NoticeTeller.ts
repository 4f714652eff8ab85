/**
 * Agent: tells members what they wish to be told. A line reads the feed from the place where it stands, and moves there
 * in the write that keeps what it has read, so that no payment is left out and none gathers twice. That a message is
 * about to be handed over is written before it is; a line left in the middle of it may have told, and says so later.
 */
import { Clock, Effect, Layer, Metric, Option } from "effect"
import type { Attention } from "../attention/Attention.ts"
import { recordOf } from "../audit/Audit.ts"
import type { Desk } from "../cabinet/Desks.ts"
import { FeedSettings } from "../feed/FeedSettings.ts"
import type { FeedStore } from "../feed/FeedStore.ts"
import { family } from "../measure/Series.ts"
import { DirectoryStore } from "../merchant/DirectoryStore.ts"
import { isInForce } from "../merchant/Merchant.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { reachOf } from "../merchant/Permission.ts"
import type { MessengerLinkStore } from "../messenger/MessengerLinkStore.ts"
import type { MessengerLinks } from "../messenger/MessengerLinks.ts"
import type { ReconciliationStore } from "../reconciliation/ReconciliationStore.ts"
import { Ids } from "../value/Ids.ts"
import * as Watcher from "../work/Watcher.ts"
import { isOfTariff } from "./Gathered.ts"
import type { MessageFacts } from "./message/NoticeText.ts"
import * as News from "./News.ts"
import { afterAnswer, doubtful } from "./NoticeAnswer.ts"
import { handingOver, type NoticeLine, noticeReasons, passedOver, restOf, waiting } from "./NoticeLine.ts"
import { NoticeStore } from "./NoticeStore.ts"
import * as NoticeWays from "./NoticeWays.ts"

const stopGraceMs = 3_000
/** When a line goes on that has not read to the end of the feed, or whose chat has no place. */
const soonMs = 1_000

type Needs =
  | NoticeStore
  | FeedStore
  | DirectoryStore
  | MerchantStore
  | MessengerLinkStore
  | MessengerLinks
  | Attention
  | ReconciliationStore
  | Ids

/** Runs for as long as the layer is open; without a `Mailer` and a `Messenger` there is nothing to run. */
export const layer: Layer.Layer<never, never, Needs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const wayOf = yield* NoticeWays.make
    if (wayOf !== null) yield* tell(wayOf)
  })
)

type WayOf = NonNullable<Effect.Success<typeof NoticeWays.make>>

const messages = family(["channel", "outcome"], (attributes) =>
  Metric.counter("tolem_notifications_total", {
    description: "Messages to members that were handed over, by channel and by what became of them",
    incremental: true,
    attributes
  })
)

const tell = Effect.fnUntraced(function* (wayOf: WayOf) {
  const store = yield* NoticeStore
  const directory = yield* DirectoryStore
  const merchants = yield* MerchantStore
  const ids = yield* Ids
  const news = yield* News.make
  const { mail, baseUrl } = yield* FeedSettings
  const { pollMs, retryWaitsMs, leaseMs, concurrency } = mail
  const timesNow = Effect.map(Clock.currentTimeMillis, (now) => ({ now, retryWaitsMs }))

  /** The member at their desk; `gone`: no member any more; `away`: they or the organization are not in force. */
  const deskOf = Effect.fnUntraced(function* ({ organizationId, accountId, mode }: NoticeLine) {
    const members = yield* directory.members(organizationId)
    const member = members.find(({ account }) => account.id === accountId)
    if (member === undefined) return "gone"
    const owned = Option.getOrUndefined(yield* merchants.owned(organizationId))
    if (owned === undefined || !isInForce(owned) || member.account.status !== "active") return "away"
    const { account, role, connectionIds, refundLimit } = member
    const { organization } = owned
    const desk: Desk = { accountId, organization, role, connectionIds, refundLimit, mode, reach: "all", isFresh: false }
    return { desk, account }
  })

  const end = Effect.fnUntraced(function* (line: NoticeLine) {
    const { organizationId, accountId } = line
    const deed = { action: "notices.ended", organizationId, subject: accountId, detail: detailOf(line) } as const
    yield* store.remove(line, yield* recordOf(ids, deed))
  })

  const settle = Effect.fnUntraced(function* (line: NoticeLine, outcome: string) {
    const { organizationId, channel, reason } = line
    if (reason !== null) {
      const about = { organizationId, channel }
      yield* Effect.logWarning(`NoticeTeller: ${outcome}: ${reason}`).pipe(Effect.annotateLogs(about))
    }
    yield* store.replace(line)
    yield* Metric.update(messages({ channel, outcome }), 1)
  })

  const handOver = Effect.fnUntraced(function* (line: NoticeLine, facts: MessageFacts, way: NoticeWays.NoticeWay) {
    const now = yield* Clock.currentTimeMillis
    if (!(yield* way.take(now))) return yield* Effect.asVoid(store.replace(waiting(line, now + soonMs)))
    const sending = handingOver(line)
    if (!(yield* store.replace(sending))) return
    const { organizationId, accountId, mode, channel, tries, version } = sending
    const id = `notice.${organizationId}.${accountId}.${mode}.${channel}.${version - tries}`
    const answer = yield* way.send(id, facts)
    const next = afterAnswer(sending, answer, yield* timesNow)
    yield* settle(next, next.status === "given_up" ? "given_up" : answer._tag.toLowerCase())
  })

  const act = Effect.fnUntraced(function* (line: NoticeLine) {
    if (line.status === "sending") {
      return yield* settle(doubtful(line, noticeReasons.serverEnded, yield* timesNow), "unknown")
    }
    const found = yield* deskOf(line)
    if (found === "gone") return yield* end(line)
    const now = yield* Clock.currentTimeMillis
    const way = found === "away" ? null : yield* wayOf(line.channel, found.account)
    if (found === "away" || way === null) {
      return yield* Effect.asVoid(store.replace(passedOver(line, yield* news.newest(line), now)))
    }
    const { desk } = found
    const { line: next, isBehind } = yield* news.since(line, desk, now)
    const rest = restOf(next, now)
    if (rest !== null) {
      return yield* Effect.asVoid(store.replace(waiting(next, isBehind ? Math.min(rest, now + soonMs) : rest)))
    }
    const { mode, language, gathered } = next
    const link = `${baseUrl}/cabinet/${placeOf(desk, next)}`
    yield* handOver(next, { organization: desk.organization.name, mode, language, gathered, link }, way)
  })

  yield* Watcher.run({
    name: "NoticeTeller",
    pollMs,
    leaseMs,
    batchSize: concurrency,
    atOnce: concurrency,
    graceMs: stopGraceMs,
    claim: store.claim,
    fair: { tenantOf: (line) => line, waiting: store.waiting },
    act
  })
})

/** The screen that says more. If the member may not see bills, the overview shows them the tariff. */
const placeOf = ({ organization, role, mode }: Desk, { gathered }: NoticeLine): string => {
  if (!isOfTariff(gathered)) return `${organization.id}?mode=${mode}`
  const seesBills = reachOf(role, "bills:read", mode) !== null
  return seesBills ? `${organization.id}/tariff?mode=${mode}` : `${organization.id}?mode=${mode}#tariff`
}

/** Of which mode and channel, for the audit log. */
const detailOf = ({ mode, channel }: NoticeLine): string => `${mode} ${channel}`
