/** The contract of the journal in the cabinet: who did what, when, and from where. */
import { deedKinds } from "@tolem/core/audit/DeedKinds"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { deskCodes, errors } from "./Errors.ts"
import { DateTime, text } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { JournalQuery, ofOrganization } from "./Requests.ts"

/** Members of a record in any journal. */
export const journalRecordFields = {
  id: Schema.String,
  at: DateTime,
  action: Schema.String.annotate({ description: "What was done, as `member.added`; more are added in time" }),
  actor: Schema.Struct({
    kind: Schema.Literals(["key", "account", "operator", "application"]),
    id: text.annotate({ description: "Of the key or the account" }),
    name: text,
    origin: text.annotate({ description: "The network address that it was asked from" })
  }),
  subject: Schema.Struct({ id: Schema.String, name: text }).annotate({ description: "What it was done to" }),
  detail: text.annotate({ description: "What else is known of it: a word, or JSON" })
}

const JournalRecord = Schema.Struct({
  ...journalRecordFields,
  kind: Schema.NullOr(Schema.Literals(deedKinds)).annotate({ description: "What it is about" })
}).annotate({ identifier: "PanelJournalRecord" })

const JournalPage = Schema.Struct({
  records: Schema.Array(JournalRecord),
  next: text.annotate({ description: "The `after` of the next page; null: there is none" })
}).annotate({ identifier: "PanelJournalPage" })

const JournalActors = Schema.Struct({
  actors: Schema.Array(
    Schema.Struct({ kind: Schema.Literals(["key", "account"]), id: Schema.String, name: Schema.String })
  )
}).annotate({ identifier: "PanelJournalActors" })

/** The journal, for owners. */
export const journal = HttpApiGroup.make("journal")
  .add(
    HttpApiEndpoint.get("list", "/orgs/:organizationId/journal", {
      params: ofOrganization.params,
      query: JournalQuery,
      success: JournalPage,
      error: errors(...deskCodes, "invalid_from", "invalid_to", "invalid_after")
    }).annotateMerge(needs("journal:read", "List what was done, newest first, of one actor, kind or period")),
    HttpApiEndpoint.get("actors", "/orgs/:organizationId/journal/actors", {
      ...ofOrganization,
      success: JournalActors,
      error: errors(...deskCodes)
    }).annotateMerge(needs("journal:read", "List the people and keys of today, to look for what they did"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
