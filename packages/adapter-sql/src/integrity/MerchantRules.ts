/** Rules about people, their organizations, keys and cashiers, and what customers reach these by. */
import { maxResent } from "@tolem/core/mail/Mail"
import { Role } from "@tolem/core/merchant/Merchant"
import { flaws, isNoFlag, isNoMode, isNone, neverMs, type Parts, type Rules } from "./Rule.ts"

/** The rules. */
export const merchantRules = (parts: Parts): Rules => ({
  ...peopleRules(parts),
  ...organizationRules(parts),
  ...cashierRules(parts),
  ...publicRules(parts)
})

// `operator` was a role in earlier versions.
const peopleRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { accounts, organizations, memberships, sessions, login_challenges: challenges } = tables
  return {
    accounts_are_sound: flaws(parts, {
      subject: "a.id",
      from: sql`${accounts} a`,
      of: {
        "an unknown status": isNone("a.status", ["active", "blocked"]),
        "no phone": "length(a.phone) <> 11 or a.phone not like '7%'",
        "an address that is none": "a.email not like '%_@_%._%'"
      }
    }),
    operators_are_sound: flaws(parts, {
      subject: "o.account_id",
      from: sql`${tables.operators} o left join ${accounts} a on a.id = o.account_id`,
      of: { "of nobody": "a.id is null" }
    }),
    memberships_are_sound: flaws(parts, {
      subject: "m.organization_id || ' ' || m.account_id",
      from: sql`${memberships} m left join ${accounts} a on a.id = m.account_id
        left join ${organizations} o on o.id = m.organization_id`,
      of: {
        "of nobody": "a.id is null",
        "of no organization": "o.id is null",
        "an unknown role": isNone("m.role", [...Role.literals, "operator"]),
        "refunds of nothing": "m.refund_limit <= 0",
        "an owner who owns it not": "m.role = 'owner' and o.owner_id <> m.account_id"
      }
    }),
    invitations_are_sound: flaws(parts, {
      subject: "i.id",
      from: sql`${tables.invitations} i left join ${organizations} o on o.id = i.organization_id`,
      of: {
        "of no organization": "o.id is null",
        "no phone": "length(i.phone) <> 11 or i.phone not like '7%'",
        "an unknown role": isNone(
          "i.role",
          Role.literals.filter((role) => role !== "owner")
        ),
        "refunds of nothing": "i.refund_limit <= 0",
        "an unknown status": isNone("i.status", ["pending", "accepted", "declined", "withdrawn"]),
        "settled at no time": "(i.status = 'pending') = (i.settled_at is not null)",
        "an end beyond all ends": `i.expires_at > i.created_at + ${neverMs} or i.expires_at < i.created_at`
      }
    }),
    sessions_are_sound: flaws(parts, {
      subject: "s.id",
      from: sql`${sessions} s left join ${accounts} a on a.id = s.account_id`,
      of: {
        "of nobody": "a.id is null",
        "no digest": "length(s.digest) < 2",
        "an end beyond all ends": `s.expires_at > s.created_at + ${neverMs} or s.idle_at > s.expires_at`,
        "seen after its end": "s.seen_at > s.expires_at"
      }
    }),
    login_challenges_are_sound: flaws(parts, {
      subject: "c.id",
      from: sql`${challenges} c`,
      of: {
        "a negative count": "c.tries < 0",
        "no phone": "(length(c.phone) <> 11 or c.phone not like '7%') and c.phone not like 'address/%'",
        "an end beyond all ends": `c.expires_at > c.created_at + ${neverMs}`
      }
    })
  }
}

const organizationRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { accounts, organizations, memberships, api_keys } = tables
  return {
    organizations_are_sound: flaws(parts, {
      subject: "o.id",
      from: sql`${organizations} o
        left join ${accounts} a on a.id = o.owner_id
        left join ${memberships} m on m.organization_id = o.id and m.account_id = o.owner_id
        left join ${accounts} r on r.id = o.referred_by
        left join ${organizations} p on p.id = o.partner_id
        left join ${tables.pictures} g on g.id = o.logo`,
      of: {
        "owned by nobody": "a.id is null",
        "an owner without membership": "m.role is distinct from 'owner'",
        "an unknown mode": isNoMode("o.mode"),
        "an unknown status": isNone("o.status", ["active", "archived"]),
        "brought by nobody": "o.referred_by is not null and r.id is null",
        "brought by its owner": "o.referred_by = o.owner_id",
        "a client of nobody": "o.partner_id is not null and p.id is null",
        "a client of itself": "o.partner_id = o.id",
        "a client, with a name of the application": "o.partner_id is not null and o.external_key is not null",
        "no version": "o.version < 1",
        "a logo of no picture": "o.logo is not null and g.organization_id is distinct from o.id",
        "a key of no partner": "o.partner_id is null and o.idempotency_key is not null",
        "a clock behind": "o.clock_ahead_ms < 0"
      }
    }),
    pictures_are_sound: flaws(parts, {
      subject: "g.id",
      from: sql`${tables.pictures} g left join ${organizations} o on o.id = g.organization_id`,
      of: {
        "of no organization": "o.id is null",
        "an unknown type": isNone("g.content_type", ["image/png", "image/jpeg"]),
        "no size": "g.width < 1 or g.height < 1"
      }
    }),
    keys_are_sound: flaws(parts, {
      subject: "k.id",
      from: sql`${api_keys} k left join ${organizations} o on o.id = k.organization_id
        left join ${tables.connections} c on c.id = k.connection_id`,
      of: {
        "of no organization": "o.id is null",
        "an unknown mode": isNoMode("k.mode"),
        "bound to a cashier of another organization":
          "k.connection_id is not null and c.organization_id is distinct from k.organization_id",
        "no digest": "length(k.digest) < 2"
      }
    })
  }
}

const cashierRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { connections, logins } = tables
  return {
    cashiers_are_sound: flaws(parts, {
      subject: "c.id",
      from: sql`${connections} c`,
      of: {
        "an unknown status": isNone("c.status", ["pending", "active", "expired", "disabled"]),
        "a flag that is none": isNoFlag("c.is_default"),
        "no version": "c.version < 1"
      }
    }),
    cashiers_logins_are_sound: flaws(parts, {
      subject: "l.id",
      from: sql`${logins} l left join ${connections} c on c.id = l.connection_id`,
      of: {
        "another organization": "l.organization_id <> c.organization_id",
        "a negative count": "l.tries < 0"
      }
    })
  }
}

const publicRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { payment_links, form_hooks, mails, invoices, connections } = tables
  const ofBoth = (alias: string) => ({
    "an unknown mode": isNoMode(`${alias}.mode`),
    "an unknown status": isNone(`${alias}.status`, ["active", "paused"]),
    "a cashier of another organization": `c.organization_id <> ${alias}.organization_id`,
    "an address that is none": `${alias}.success_url not like 'http%://%' or ${alias}.fail_url not like 'http%://%'`,
    "no version": `${alias}.version < 1`
  })
  return {
    links_are_sound: flaws(parts, {
      subject: "l.id",
      from: sql`${payment_links} l left join ${connections} c on c.id = l.connection_id
        left join ${tables.pictures} g on g.id = substr(l.picture, 1, 40)`,
      of: {
        ...ofBoth("l"),
        "no amount": "l.amount <= 0 or l.min_amount <= 0 or l.max_amount < coalesce(l.min_amount, 1)",
        "no address": "length(l.slug) = 0",
        "room for no payment": "l.max_payments < 1",
        "an end before its beginning": "l.closes_at <= coalesce(l.opens_at, 0)",
        "no such picture":
          "l.picture is not null and l.removed_at is null and g.organization_id is distinct from l.organization_id"
      }
    }),
    hooks_are_sound: flaws(parts, {
      subject: "h.id",
      from: sql`${form_hooks} h left join ${connections} c on c.id = h.connection_id`,
      of: { ...ofBoth("h"), "a negative count": "h.caught < 0" }
    }),
    letters_are_sound: flaws(parts, {
      subject: "m.id",
      from: sql`${mails} m left join ${invoices} i on i.id = m.invoice_id`,
      of: {
        "of no invoice": "i.id is null",
        "another organization": "m.organization_id <> i.organization_id",
        "another mode": "m.mode <> i.mode",
        "an unknown kind": isNone("m.kind", ["invoice", "receipt"]),
        "a receipt of an unpaid invoice": "m.kind = 'receipt' and i.paid_at is null",
        "an unknown status": isNone("m.status", ["pending", "sending", "sent", "failed", "unknown", "kept"]),
        "another recipient than the customer": "m.recipient is distinct from i.customer_email",
        "a negative count": "m.attempts < 0 or m.resent < 0",
        "sent again too often": `m.resent > ${maxResent}`,
        "sent without an attempt": "m.status = 'sent' and m.attempts = 0",
        "nobody sends it": "m.status in ('pending', 'sending') and m.due_at is null",
        "due and completed": "m.status not in ('pending', 'sending') and m.due_at is not null",
        "completed at no time": "(m.status in ('pending', 'sending')) = (m.completed_at is not null)",
        "due too late": `m.resent = 0 and m.due_at > m.created_at + ${neverMs}`
      }
    })
  }
}
