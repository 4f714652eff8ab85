/** Rules about who has the statement of each month by letter. */
import { flaws, isNone, neverMs, type Parts, type Rules } from "./Rule.ts"

/** The rules. */
export const letterRules = (parts: Parts): Rules => {
  const { sql, tables, now } = parts
  const { statement_letters: letters, organizations, accounts } = tables
  return {
    statement_letters_are_sound: flaws(parts, {
      subject: "l.organization_id || ' ' || l.account_id",
      from: sql`${letters} l left join ${organizations} o on o.id = l.organization_id
        left join ${accounts} a on a.id = l.account_id`,
      of: {
        "of no organization": "o.id is null",
        "of no account": "a.id is null",
        "of no month": "l.month not like '____-__'",
        "sent of no month": "l.sent_month not like '____-__'",
        "sent of a month that has not come": "l.sent_month >= l.month",
        "an unknown status": isNone("l.status", ["waiting", "sending"]),
        "never due": `l.due_at is null or l.due_at > ${now} + ${neverMs}`,
        "due before it was chosen": "l.due_at < l.created_at",
        "a negative count": "l.tries < 0 or l.version < 1",
        "handed over at no time": "l.status = 'sending' and l.tries < 1"
      }
    })
  }
}
