/** Rules that an invoice keeps by itself, and among its organization's. */
import { InvoiceKind, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { flaws, isNoFlag, isNoMode, isNone, neverMs, type Parts, providerSkewMs, type Rules, unique } from "./Rule.ts"

const paid = "('paid', 'partially_refunded', 'refunded')"

/** The rules. */
export const invoiceRules = (parts: Parts): Rules => ({ ...ownRules(parts), ...commonRules(parts) })

const ownRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { invoices, events } = tables
  return {
    invoices_are_sound: flaws(parts, {
      subject: "i.id",
      from: sql`${invoices} i`,
      of: {
        "an unknown status": isNone("i.status", InvoiceStatus.literals),
        "an unknown kind": isNone("i.kind", InvoiceKind.literals),
        "an unknown mode": isNoMode("i.mode"),
        "no amount": "i.amount <= 0",
        "a negative refunded sum": "i.refunded < 0",
        "a flag that is none": isNoFlag("i.late"),
        "a version below its sequence": "i.version < i.sequence or i.sequence < 1",
        // One that was never made has given back its key, and its place in the quota with it.
        "a digest of no request":
          "i.fingerprint is not null and i.idempotency_key is null" +
          " and (i.mode = 'sandbox' or coalesce(i.counted_on, i.day) <> '')",
        "an unknown way to the provider":
          "i.making is not null and " + isNone("i.making", ["waits", "asked", "unanswered", "made"]),
        "counted on a day that is none": "i.counted_on <> '' and i.counted_on not like '____-__-__'",
        "a push to no phone": "i.kind = 'phone' and i.customer_phone is null",
        "an end before its beginning": `i.expires_at < i.created_at - ${providerSkewMs}`,
        "live without cashier": "i.mode = 'live' and i.connection_id is null",
        "a provider in the sandbox": "i.mode = 'sandbox' and i.provider_reference is not null"
      }
    }),
    payments_are_facts: flaws(parts, {
      subject: "i.id",
      from: sql`${invoices} i`,
      of: {
        "paid at no time": `i.status in ${paid} and i.paid_at is null`,
        "a payment of an unpaid one": `i.status not in ${paid} and i.paid_at is not null`,
        "paid without receipt number": `i.status in ${paid} and i.receipt_number is null`,
        "a receipt of an unpaid one": `i.status not in ${paid} and i.receipt_number is not null`,
        "late and unpaid": `i.late = 1 and i.status not in ${paid}`,
        "refunded and unpaid": `i.refunded > 0 and i.status not in ${paid}`,
        "another sum than its status says":
          "(i.status = 'paid' and i.refunded <> 0) or (i.status = 'refunded' and i.refunded <> i.amount)" +
          " or (i.status = 'partially_refunded' and (i.refunded <= 0 or i.refunded >= i.amount))",
        "live, and the provider has no name for it":
          "i.mode = 'live' and i.provider_reference is null" + ` and (i.status = 'pending' or i.status in ${paid})`
      }
    }),
    payments_are_told: flaws(parts, {
      subject: "i.id",
      from: sql`${invoices} i join ${events} e on e.invoice_id = i.id and e.type = 'invoice.paid'`,
      of: {
        "late, unlike its event": "i.late <> e.late",
        // A clock that was set back shows in the event as well, and is no fault of the data.
        "paid before it was there":
          "e.created_at >= i.created_at and i.paid_at < i.created_at" +
          ` - case i.mode when 'live' then ${providerSkewMs} else 0 end`
      }
    }),
    open_invoices_are_due: flaws(parts, {
      subject: "i.id",
      from: sql`${invoices} i`,
      of: {
        "nobody looks at it again":
          "i.due_at is null and (i.status = 'pending' or i.status = 'new' and (i.valid_until is not null" +
          " or i.origin is null and (i.idempotency_key is null or i.fingerprint is not null)))",
        "due too late": `i.status in ('new', 'pending') and i.due_at > i.updated_at + ${neverMs}`,
        "pending without end": "i.status = 'pending' and i.expires_at is null"
      }
    })
  }
}

const commonRules = (parts: Parts): Rules => {
  const { sql, tables, now } = parts
  const { invoices, connections, receipt_counters, invoice_leases: leases } = tables
  return {
    invoices_are_searchable: flaws(parts, {
      subject: "i.id",
      from: sql`${invoices} i`,
      of: { "the search text of another one": "substr(i.search_text, 1, length(i.id)) <> lower(i.id)" }
    }),
    // A lease may outlive its invoice, until a later claim removes it.
    leases_of_invoices_end: flaws(parts, {
      subject: "l.id",
      from: sql`${leases} l`,
      of: {
        "of no invoice": "substr(l.id, 1, 4) <> 'inv_'",
        "ends before it began": "l.due_at < 0 or l.until < l.due_at",
        // Of a sandbox it may be far ahead, and so is what it is due at; what is due may have waited for years.
        "held for ever": `l.until > l.due_at + ${neverMs} and l.until > ${now} + ${neverMs}`
      }
    }),
    cashiers_are_of_the_organization: flaws(parts, {
      subject: "i.id",
      from: sql`${invoices} i join ${connections} c on c.id = i.connection_id`,
      of: { "a cashier of another organization": "c.organization_id <> i.organization_id" }
    }),
    receipt_numbers_are_unique: unique(parts, {
      from: invoices,
      of: ["organization_id", "receipt_number"],
      where: "receipt_number is not null"
    }),
    provider_references_are_unique: unique(parts, {
      from: invoices,
      of: ["organization_id", "provider_reference"],
      where: "mode = 'live' and provider_reference is not null"
    }),
    // Providers number receipts as they like; those of the sandbox are ours, with eight digits.
    receipt_counters_are_ahead: sql`select i.organization_id as subject,
          'counter ' || coalesce(c.value, 0) || ', receipts to ' || i.high as detail
        from (select organization_id, max(receipt_number) as high from ${invoices}
          where mode = 'sandbox' and length(receipt_number) = 8 group by organization_id) as i
        left join ${receipt_counters} c on c.organization_id = i.organization_id
        where substr(cast(100000000 + coalesce(c.value, 0) as text), 2) < i.high`
  }
}
