/** Damages to what members are told of, and to their chats. */
import type { Damages } from "./damage.ts"
import { own } from "./reasons.ts"

const line = "account_id = 'acc_owner'"
const reading = "name = 'telegram'"
const lines = "notice_lines_are_sound"
const links = "messenger_links_are_sound"
const readings = "messenger_readings_are_sound"

export const damagesOfNotices: Damages = {
  notice_lines: {
    organization_id: [["'x'", line, lines]],
    account_id: [["'x'", line, lines]],
    mode: [["'x'", line, lines]],
    channel: [["'x'", line, lines]],
    kinds: [["'[]'", line, lines]],
    minimum: [["-1", line, lines]],
    quiet: [["'x'", line, lines]],
    language: [["'x'", line, lines]],
    status: [["'sending'", line, lines]],
    position: [["9", line, lines]],
    event_id: [["'evt_x'", line, lines]],
    gathered: [["'x'", line, lines]],
    going: [["'x'", line, lines]],
    looked_at: [["9999999999999", line, lines]],
    not_before: [["-1", line, lines]],
    tries: [["-1", line, lines]],
    told_at: [["9999999999999", line, lines]],
    reason: own,
    due_at: [["null", line, lines]],
    created_at: [["9999999999999", line, lines]],
    version: [["0", line, lines]]
  },
  messenger_links: {
    account_id: [["'x'", line, links]],
    status: [["'ended'", line, links]],
    chat_id: [["null", line, links]],
    code_digest: [["'x'", line, links]],
    code_until: [["1", line, links]],
    reason: [["'blocked'", line, links]],
    free_at: [["-1", line, links]],
    created_at: [["9999999999999", line, links]],
    version: [["0", line, links]]
  },
  messenger_readings: {
    name: [["'x'", reading, readings]],
    read_to: [["-1", reading, readings]],
    due_at: [["-1", reading, readings]]
  }
}
