/** What members are told of, and their chats with the bot. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Adds the tables. */
export const createNotices: Step = (sql, { text }, naming) => {
  const { notice_lines: lines, messenger_links: links, messenger_readings: readings } = tables(sql, naming)
  const statements = [
    sql`create table ${lines} (
      organization_id ${text} not null,
      account_id ${text} not null,
      mode ${text} not null,
      channel ${text} not null,
      kinds ${text} not null,
      minimum bigint,
      quiet ${text},
      language ${text} not null,
      status ${text} not null,
      position bigint not null,
      event_id ${text},
      gathered ${text} not null,
      going ${text},
      looked_at bigint not null,
      not_before bigint not null,
      tries bigint not null,
      told_at bigint,
      reason ${text},
      due_at bigint,
      created_at bigint not null,
      version bigint not null,
      primary key (organization_id, account_id, mode, channel)
    )`,
    sql`create index ${index(sql, naming, "notice_lines_due")} on ${lines} (due_at) where due_at is not null`,
    sql`create table ${links} (
      account_id ${text} not null primary key,
      status ${text} not null,
      chat_id ${text},
      code_digest ${text},
      code_until bigint,
      reason ${text},
      free_at bigint not null,
      created_at bigint not null,
      version bigint not null
    )`,
    sql`create index ${index(sql, naming, "messenger_links_chat")} on ${links} (chat_id) where chat_id is not null`,
    sql`create unique index ${index(sql, naming, "messenger_links_code")} on ${links} (code_digest)
      where code_digest is not null`,
    sql`create table ${readings} (
      name ${text} not null primary key,
      read_to bigint not null,
      due_at bigint not null
    )`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
