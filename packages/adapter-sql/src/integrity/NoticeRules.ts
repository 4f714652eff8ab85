/** Rules about what members are told of, and about their chats with the bot. */
import { flaws, isNoMode, isNone, neverMs, type Parts, type Rules, skewMs } from "./Rule.ts"

/** The rules. */
export const noticeRules = (parts: Parts): Rules => {
  const { sql, tables, now } = parts
  const { notice_lines: lines, messenger_links: links, messenger_readings: readings, organizations, accounts } = tables
  return {
    notice_lines_are_sound: flaws(parts, {
      subject: "l.organization_id || ' ' || l.account_id || ' ' || l.mode || ' ' || l.channel",
      from: sql`${lines} l left join ${organizations} o on o.id = l.organization_id
        left join ${accounts} a on a.id = l.account_id`,
      of: {
        "of no organization": "o.id is null",
        "of no account": "a.id is null",
        "an unknown mode": isNoMode("l.mode"),
        "an unknown channel": isNone("l.channel", ["letter", "telegram"]),
        "an unknown language": isNone("l.language", ["kk", "ru", "en"]),
        "an unknown status": isNone("l.status", ["waiting", "sending", "given_up"]),
        "tells of nothing": "l.kinds not like '[\"%\"]'",
        "a negative minimum": "l.minimum < 0",
        "quiet at no time": `l.quiet not like '{%"from":%"to":%"days":[%]}'`,
        "no place in the feed": "l.position < 0 or (l.position = 0) <> (l.event_id is null)",
        "nothing to gather in": `l.gathered not like '{%"paid":%"late":%}'`,
        "no list of troubles": "l.going not like '[%]'",
        "looked at in time to come": `l.looked_at < 0 or l.looked_at > ${now} + ${skewMs}`,
        "told in time to come": `l.told_at < l.created_at or l.told_at > ${now} + ${skewMs}`,
        "made in time to come": `l.created_at < 0 or l.created_at > ${now} + ${skewMs}`,
        "held for ever": `l.not_before < 0 or l.not_before > ${now} + ${neverMs}`,
        "never due": `l.due_at is null or l.due_at < l.created_at or l.due_at > ${now} + ${neverMs}`,
        "a negative count": "l.tries < 0 or l.version < 1",
        "handed over at no time": "l.status = 'sending' and l.tries < 1"
      }
    }),
    messenger_links_are_sound: flaws(parts, {
      subject: "l.account_id",
      from: sql`${links} l left join ${accounts} a on a.id = l.account_id`,
      of: {
        "of no account": "a.id is null",
        "an unknown status": isNone("l.status", ["asked", "linked", "ended"]),
        "a chat where there is none": "(l.status = 'linked') <> (l.chat_id is not null)",
        "a code without a time": "(l.code_digest is null) <> (l.code_until is null)",
        "no digest": "length(l.code_digest) <> 64",
        "neither code nor chat": "l.status = 'asked' and l.code_digest is null",
        "a code for ever": `l.code_until < l.created_at or l.code_until > ${now} + ${neverMs}`,
        "an end without a reason": "(l.status = 'ended') <> (l.reason is not null)",
        "an unknown reason": isNone("l.reason", ["blocked", "stopped"]),
        "held for ever": `l.free_at < 0 or l.free_at > ${now} + ${neverMs}`,
        "made in time to come": `l.created_at < 0 or l.created_at > ${now} + ${skewMs}`,
        "no version": "l.version < 1"
      }
    }),
    messenger_readings_are_sound: flaws(parts, {
      subject: "r.name",
      from: sql`${readings} r`,
      of: {
        "an unknown messenger": "r.name <> 'telegram'",
        "before the first message": "r.read_to < 0",
        "held for ever": `r.due_at < 0 or r.due_at > ${now} + ${neverMs}`
      }
    })
  }
}
