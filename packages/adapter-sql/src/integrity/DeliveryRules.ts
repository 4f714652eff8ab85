/** Rules about endpoints, and about deliveries on their way to them with their attempts. */

import { longestPauseMs } from "@tolem/core/webhook/sending/EndpointHealth"
import { EventKind } from "@tolem/core/webhook/Webhook"
import { removalKinds } from "../base/Removals.ts"
import { flaws, isNoFlag, isNoMode, isNone, neverMs, type Parts, type Rules, removedBefore, skewMs } from "./Rule.ts"

/** The rules. */
export const deliveryRules = (parts: Parts): Rules => ({
  ...endpointRules(parts),
  ...attemptRules(parts),
  ...removalRules(parts)
})

const endpointRules = (parts: Parts): Rules => {
  const { sql, tables, now } = parts
  const { invoices, events, endpoints, deliveries } = tables
  return {
    endpoints_are_sound: flaws(parts, {
      subject: "p.id",
      from: sql`${endpoints} p`,
      of: {
        "an unknown mode": isNoMode("p.mode"),
        "a cashier in the sandbox": "p.connection_id is not null and p.mode <> 'live'",
        "no address": "p.url not like 'http%://%'",
        "kinds that are none": "p.events <> '' and p.events not like ',%,'",
        "a flag that is none": isNoFlag("p.disabled"),
        "a secret that has ended and is kept": "p.removed_at is not null and p.secret <> ''",
        "no secret": "p.removed_at is null and p.secret = ''",
        "half of an earlier secret": "(p.previous_secret is null) <> (p.previous_secret_until is null)",
        "a negative count": "p.failure_count < 0 or p.pause_count < 0",
        "a pause that was not counted": "p.paused_until is not null and p.pause_count = 0",
        "a pause without end": `p.paused_until > ${now + longestPauseMs}`
      }
    }),
    deliveries_agree_with_endpoints: flaws(parts, {
      subject: "d.id",
      from: sql`${deliveries} d left join ${endpoints} p on p.id = d.endpoint_id
        left join ${invoices} i on i.id = d.invoice_id`,
      of: {
        "to no endpoint": "p.id is null",
        "another organization than its endpoint": "d.organization_id <> p.organization_id",
        "another mode than its endpoint": "d.mode <> p.mode",
        "another cashier than its endpoint":
          "d.kind <> 'webhook.test' and p.connection_id <> coalesce(i.connection_id, '')"
      }
    }),
    deliveries_agree_with_events: flaws(parts, {
      subject: "d.id",
      from: sql`${deliveries} d
        left join ${events} e on e.invoice_id = d.invoice_id and e.sequence = d.sequence
        left join ${invoices} i on i.id = d.invoice_id`,
      of: {
        "an unknown kind": isNone("d.kind", EventKind.literals),
        "of no invoice": "d.kind <> 'webhook.test' and i.id is null",
        "of no event": "d.kind <> 'webhook.test' and (e.id is null or e.id <> d.event_id)",
        "another kind than its event": "d.kind <> 'webhook.test' and d.kind <> e.type",
        "another organization than its invoice": "d.kind <> 'webhook.test' and d.organization_id <> i.organization_id",
        "another mode than its invoice": "d.kind <> 'webhook.test' and d.mode <> i.mode",
        "another time than its event":
          "d.kind <> 'webhook.test' and d.mode = 'live' and d.created_at <> e.created_at" +
          " and d.id = 'dlv_' || substr(e.id, 5) || '_' || substr(d.endpoint_id, 5)"
      }
    })
  }
}

const attemptRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { endpoints, deliveries, attempts } = tables
  const attemptsOf = sql`(select delivery_id, count(*) as n, max(number) as high, min(number) as low,
      max(case when status between 200 and 299 then 1 else 0 end) as taken
    from ${attempts} group by delivery_id) as a`
  return {
    deliveries_agree_with_attempts: flaws(parts, {
      subject: "d.id",
      // Of one that is old the first attempts may have gone, or all.
      from: sql`(select d.*, case when d.created_at < ${removedBefore(parts, "attempts")} then 1 else 0 end as old
          from ${deliveries} d) as d left join ${attemptsOf} on a.delivery_id = d.id
        left join ${endpoints} p on p.id = d.endpoint_id`,
      of: {
        "an unknown status": isNone("d.status", ["pending", "delivered", "failed"]),
        "delivered without a successful attempt":
          "d.status = 'delivered' and coalesce(a.taken, 0) = 0 and (d.old = 0 or a.n is not null)",
        "a successful attempt, and not delivered": "d.status <> 'delivered' and a.taken = 1",
        "given up without an attempt": "d.status = 'failed' and a.n is null and p.removed_at is null and d.old = 0",
        "attempts that are not counted":
          "d.attempt_count <> coalesce(a.n, 0) and d.old = 0 or d.attempt_count <> coalesce(a.high, d.attempt_count)",
        "a gap in the attempts": "a.low <> 1 and d.old = 0 or a.high - a.low + 1 <> a.n",
        "pending and completed": "(d.status = 'pending') <> (d.completed_at is null)",
        "claimed and completed": "d.status <> 'pending' and (d.lease is not null or d.starts <> 0)",
        "a negative number of starts": "d.starts < 0"
      }
    }),
    deliveries_are_due: flaws(parts, {
      subject: "d.id",
      from: sql`${deliveries} d`,
      of: {
        "due too late":
          `d.status = 'pending' and (d.due_at > d.created_at + ${neverMs} and d.due_at > d.ready_at + ${neverMs}` +
          ` or d.ready_at > d.created_at + ${neverMs})`
      }
    }),
    attempts_are_sound: flaws(parts, {
      subject: "a.delivery_id || ' ' || a.number",
      from: sql`${attempts} a left join ${deliveries} d on d.id = a.delivery_id`,
      of: {
        "of no delivery": "d.id is null",
        "a negative time": "a.duration_ms < 0",
        "no address": "a.url not like 'http%://%'",
        "neither answer nor reason": "a.status is null and a.error is null"
      }
    })
  }
}

const removalRules = (parts: Parts): Rules => ({
  removals_are_sound: flaws(parts, {
    subject: "r.kind",
    from: parts.sql`${parts.tables.removals} r`,
    of: {
      "an unknown kind": isNone("r.kind", removalKinds),
      "at a time to come": `r.ended_before < 0 or r.ended_before > ${parts.now + skewMs}`
    }
  })
})
