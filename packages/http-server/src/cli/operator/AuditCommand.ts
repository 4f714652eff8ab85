/** `tolem operator audit` */
import { type AuditRecord, auditJson } from "@tolem/core/audit/Audit"
import { Engine } from "@tolem/core/engine/Engine"
import { Option } from "effect"
import { Flag } from "effect/cli"
import { readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import * as Lists from "../kit/Lists.ts"
import { type Columns, localTime, table } from "../kit/Tables.ts"

const columns: Columns<AuditRecord> = {
  ID: ({ id }) => id,
  TIME: ({ createdAt }) => localTime(createdAt),
  ACTION: ({ action }) => action,
  SUBJECT: ({ subject }) => subject,
  DETAIL: ({ detail }) => detail,
  BY: ({ actor }) => [actor.kind, actor.id, actor.origin].filter((part) => part !== null).join(" ")
}

/** The audit log. */
export const audit = readingCommand(
  "audit",
  "Show who has done what, when, and from where; newest first",
  {
    organization: Flags.text("org", "ID", "Of this organization only").pipe(Flag.optional),
    before: Flags.text("before", "ID", "Only what is older than this record").pipe(Flag.optional),
    limit: Lists.pageFlags.limit
  },
  function* ({ organization, before, limit: given }) {
    const { audit } = yield* Engine
    const { limit } = yield* Lists.pageOf({ limit: given, offset: 0 })
    const organizationId = Option.getOrNull(organization)
    const records = yield* audit.list({ organizationId, before: Option.getOrNull(before), limit })
    return { json: records.map(auditJson), text: table(records, columns) }
  }
)
