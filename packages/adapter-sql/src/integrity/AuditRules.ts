/** Rules about the audit log: it is closed to changes, and what it tells of is as it says. */
import type { Statement } from "effect/sql"
import { flaws, isNone, type Parts, type Rules, skewMs } from "./Rule.ts"

/** The rules. */
export const auditRules = (parts: Parts): Rules => ({
  records_are_sound: flaws(parts, {
    subject: "a.id",
    from: parts.sql`${parts.tables.audit} a`,
    of: {
      "no action": "a.action not like '%.%'",
      "an unknown kind of actor": isNone("a.actor_kind", ["key", "account", "operator", "application"]),
      "no subject": "length(a.subject) = 0"
    }
  }),
  ...agreements(parts),
  ...keptRecords(parts)
})

const agreements = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { audit, api_keys, organizations, accounts, memberships } = tables
  const lastDeeds = (actions: ReadonlyArray<string>) => sql`
    (select a.*, max(a.created_at) over (partition by a.organization_id, a.subject) as newest_at
      from ${audit} a where a.action in ${sql.in(actions)}) as a`
  /** Rows of `from` that none of the newest records of these actions agrees with. */
  const agree = (actions: ReadonlyArray<string>, { subject, from, says }: Agreement) => sql`
    select subject, max('unlike the audit log') as detail from (
      select ${sql.literal(subject)} as subject, case when ${sql.literal(says)} then 1 else 0 end as agrees
      from ${lastDeeds(actions)} join ${from} where a.created_at >= a.newest_at - cast(${skewMs} as bigint)
    ) as said group by subject having max(agrees) = 0`

  return {
    keys_agree_with_records: agree(["key.created"], {
      subject: "k.id",
      from: sql`${api_keys} k on k.id = a.subject`,
      says: "a.organization_id = k.organization_id and a.detail = k.mode || ' ' || k.scopes"
    }),
    bound_keys_agree_with_records: agree(["key.bound"], {
      subject: "k.id",
      from: sql`${api_keys} k on k.id = a.subject`,
      says: "a.detail is not distinct from k.connection_id"
    }),
    modes_agree_with_records: agree(["organization.mode_switched"], {
      subject: "o.id",
      from: sql`${organizations} o on o.id = a.subject`,
      says: "a.detail = o.mode"
    }),
    archived_organizations_agree_with_records: agree(["organization.archived", "organization.restored"], {
      subject: "o.id",
      from: sql`${organizations} o on o.id = a.subject`,
      says: "(a.action = 'organization.archived') = (o.status = 'archived')"
    }),
    blocked_accounts_agree_with_records: agree(["account.blocked", "account.unblocked"], {
      subject: "p.id",
      from: sql`${accounts} p on p.id = a.subject`,
      says: "(a.action = 'account.blocked') = (p.status = 'blocked')"
    }),
    members_agree_with_records: agree(["member.added", "member.removed"], {
      subject: "a.organization_id || ' ' || a.subject",
      from: sql`${organizations} o on o.id = a.organization_id
        left join ${memberships} m on m.organization_id = a.organization_id and m.account_id = a.subject`,
      says: "coalesce(m.role, '') = case a.action when 'member.added' then a.detail else '' end or m.role = 'owner'"
    })
  }
}

const keptRecords = (parts: Parts): Rules => {
  const { sql, dialect, tables } = parts
  const { audit, api_keys, endpoints, refunds, invoices } = tables
  const { member } = dialect
  return {
    recorded_keys_are_kept: sql`
      select a.subject as subject, 'the audit log says that it was made' as detail from ${audit} a
        where a.action = 'key.created'
          and not exists (select 1 from ${api_keys} k where k.id = a.subject)
          and not exists (select 1 from ${audit} d where d.action = 'key.deleted' and d.subject = a.subject)`,
    recorded_endpoints_are_kept: sql`select subject, detail from (
          select a.subject as subject, 'made, and there no more' as detail from ${audit} a
          where a.action = 'endpoint.created' and not exists (select 1 from ${endpoints} p where p.id = a.subject)
          union all
          select p.id, 'unlike the audit log: another owner' from ${audit} a join ${endpoints} p on p.id = a.subject
          where a.action = 'endpoint.created'
            and (p.organization_id <> a.organization_id or a.detail is distinct from p.mode)
          union all
          select p.id, 'unlike the audit log: whether it is there' from ${endpoints} p
          where exists (select 1 from ${audit} c where c.action = 'endpoint.created' and c.subject = p.id)
            and (p.removed_at is not null)
              <> exists (select 1 from ${audit} d where d.action = 'endpoint.deleted' and d.subject = p.id)
        ) as all_of_them`,
    // Invoices of a sandbox go as a whole, and the log stays.
    recorded_refunds_are_kept: sql`select i.id as subject, 'refund ' || a.refund_id || ' unlike the audit log' as detail
        from (select subject, ${member("detail", "refundId")} as refund_id, ${member("detail", "amount")} as amount
          from ${audit} where action = 'refund.requested') as a
        join ${invoices} i on i.id = a.subject
        left join ${refunds} r on r.id = a.refund_id and r.invoice_id = a.subject
        where a.refund_id is not null
          and (r.id is null or abs(cast(a.amount as double precision) * 100 - r.amount) > 0.5)`
  }
}

interface Agreement {
  readonly subject: string
  /** What is joined to the records `a`. */
  readonly from: Statement.Fragment
  /** The condition that a record and its row agree. */
  readonly says: string
}
