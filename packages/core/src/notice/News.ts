/** What has happened since a line was last looked at, of what its member sees and wishes to be told. */
import { Effect } from "effect"
import { standingOf } from "../attention/ChangeStore.ts"
import { seesEntry } from "../attention/DeskChange.ts"
import type { Desk } from "../cabinet/Desks.ts"
import { FeedSettings } from "../feed/FeedSettings.ts"
import { FeedStore } from "../feed/FeedStore.ts"
import { withEntry, withTroubles } from "./Gathered.ts"
import { wishesPayments, wishesTroubles } from "./NoticeKinds.ts"
import { type NoticeKey, type NoticeLine, regathered, seldomMs, standsAt } from "./NoticeLine.ts"
import * as Troubles from "./Troubles.ts"

/** Payments of one page, and pages of one look. */
const pageSize = 200
const pagesOfLook = 5

/** A look at them, over the stores. */
export const make = Effect.gen(function* () {
  const feed = yield* FeedStore
  const troublesOf = yield* Troubles.make
  const { feed: limits } = yield* FeedSettings

  const newest = ({ organizationId, mode }: Omit<NoticeKey, "accountId" | "channel">) => {
    const start = { since: Number.MAX_SAFE_INTEGER }
    const query = { organizationId, mode, connectionId: null, start, types: [], limit: 1, lookAt: 1 }
    return Effect.map(feed.read(query), ({ cursor }) => cursor)
  }

  const withPayments = Effect.fnUntraced(function* (line: NoticeLine, desk: Desk) {
    if (!wishesPayments(line.kinds)) return { line, isBehind: false }
    const { organizationId, mode } = line
    let isBehind = yield* feed.place(organizationId, limits.placedAtOnce)
    let now = line
    for (let page = 0; page < pagesOfLook; page++) {
      const start = { after: standsAt(now) }
      const types = ["invoice.paid"] as const
      const query = { organizationId, mode, connectionId: null, start, types, limit: pageSize, lookAt: limits.lookedAt }
      const { entries, cursor, more } = yield* feed.read(query)
      // Where the event of the place is gone, a read begins before it.
      const { position } = now
      let { gathered } = now
      for (const entry of entries) {
        if (entry.cursor.position <= position || !seesEntry(desk, entry)) continue
        const next = withEntry(gathered, now, entry)
        gathered = next === gathered ? next : { ...next, from: next.from ?? standsAt(now), standing: standingOf(desk) }
      }
      if (cursor.position > position) now = { ...now, ...cursor, gathered }
      isBehind = more || (isBehind && page === 0)
      if (!more) break
    }
    return { line: now, isBehind }
  })

  const withTrouble = Effect.fnUntraced(function* (line: NoticeLine, desk: Desk, now: number) {
    if (!wishesTroubles(line.kinds)) return { ...line, going: null }
    if (line.going !== null && line.lookedAt + seldomMs > now) return line
    const { gathered, going } = withTroubles(line.gathered, line.going, line.kinds, yield* troublesOf(desk))
    const standing = gathered.troubles.length > 0 ? standingOf(desk) : gathered.standing
    return { ...line, gathered: { ...gathered, standing }, going, lookedAt: now }
  })

  const since = Effect.fnUntraced(function* (line: NoticeLine, desk: Desk, now: number) {
    const { standing } = line.gathered
    const own = standing === null || standing === standingOf(desk) ? line : regathered(line)
    const { line: next, isBehind } = yield* withPayments(own, desk)
    return { line: yield* withTrouble(next, desk, now), isBehind }
  })

  return {
    /** The place behind all events of now. */
    newest,
    /** The line with what has happened; and whether there is more to read at once. */
    since
  }
})
