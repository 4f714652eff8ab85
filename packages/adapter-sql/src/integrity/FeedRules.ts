/** Rules about the feed: every event has its place or waits for one, places are in order, consumers hear of events. */
import { flaws, isNone, neverMs, type Parts, type Rules } from "./Rule.ts"

/** The rules. */
export const feedRules = (parts: Parts): Rules => ({ ...placeRules(parts), reactions_are_sound: reactionRule(parts) })

const reactionRule = (parts: Parts) => {
  const { sql, tables, now } = parts
  return flaws(parts, {
    subject: "r.id",
    from: sql`${tables.reactions} r
      left join ${tables.events} e on e.invoice_id = r.invoice_id and e.sequence = r.sequence
      left join ${tables.invoices} i on i.id = r.invoice_id
      left join ${tables.consumers} c on c.name = r.consumer`,
    of: {
      "of no consumer": "c.name is null",
      "no such event": "e.id is null or i.id is null",
      "of another event": "e.id <> r.event_id or r.id <> 'rct_' || substr(r.event_id, 5) || '_' || r.consumer",
      "another type": "e.type <> r.type",
      "another organization": "e.organization_id <> r.organization_id",
      "another mode": "i.mode <> r.mode",
      "an unknown status": isNone("r.status", ["pending", "failed"]),
      "an impossible number of tries": "r.attempt_count < 0 or r.status = 'failed' and r.attempt_count < 1",
      "failed without an error": "r.status = 'failed' and (r.error is null or r.failed_at is null)",
      "an error without its time": "(r.error is null) <> (r.failed_at is null)",
      "held by what is no try": "r.lease is not null and (r.attempt_count < 1 or r.status <> 'pending')",
      "never due": `r.due_at > ${now + neverMs}`
    }
  })
}

const placeRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { invoices, events, feed, feed_heads: heads, feed_arrivals: arrivals } = tables
  // In the sandbox some of what went before may be forgotten by now.
  const placed = sql`(select f.*,
      lag(f.position) over (partition by f.organization_id, f.mode order by f.position) as before_position,
      lag(f.reached_at) over (partition by f.organization_id, f.mode order by f.position) as before_reached_at,
      lag(f.sequence) over (partition by f.invoice_id order by f.position) as before_sequence
    from ${feed} f) as f`
  return {
    // By themselves: for each event SQLite would go through all that wait of its organization.
    events_are_in_the_feed: sql`
        with waiting as materialized (select organization_id, invoice_id, sequence from ${arrivals})
        select e.id as subject, 'it has no place in the feed, and waits for none' as detail
        from ${events} e
        left join ${feed} f on f.invoice_id = e.invoice_id and f.sequence = e.sequence
        left join waiting a on a.organization_id = e.organization_id and a.invoice_id = e.invoice_id
          and a.sequence = e.sequence
        where f.position is null and a.invoice_id is null`,
    places_follow_events: flaws(parts, {
      subject: "f.event_id",
      from: sql`${placed}
        left join ${events} e on e.invoice_id = f.invoice_id and e.sequence = f.sequence
        left join ${invoices} i on i.id = f.invoice_id`,
      of: {
        "no such event": "e.id is null or i.id is null",
        "another id": "e.id <> f.event_id",
        "another type": "e.type <> f.type",
        "another organization": "e.organization_id <> f.organization_id",
        "another mode": "i.mode <> f.mode",
        "a place that is none": "f.position < 1",
        "a gap before it": "f.mode = 'live' and f.position <> coalesce(f.before_position, 0) + 1",
        "after what came later on the invoice": "f.sequence <= f.before_sequence",
        "reached too early": "f.reached_at < e.created_at or f.reached_at < f.before_reached_at",
        "reached too late":
          "(f.mode = 'live' or f.position = 1 or f.before_position = f.position - 1)" +
          " and f.reached_at > e.created_at and f.reached_at > coalesce(f.before_reached_at, 0)"
      }
    }),
    feeds_end_at_their_heads: sql`select f.organization_id || ' ' || f.mode as subject,
          'it ends at ' || f.position || ', its head at ' || coalesce(h.position, 0) as detail
        from (select organization_id, mode, max(position) as position, max(reached_at) as reached_at
          from ${feed} group by organization_id, mode) as f
        left join ${heads} h on h.organization_id = f.organization_id and h.mode = f.mode
        where h.position is null or h.position < f.position or h.reached_at < f.reached_at
          or f.mode = 'live' and (h.position <> f.position or h.reached_at <> f.reached_at)
          or h.position = f.position and h.reached_at <> f.reached_at`
  }
}
