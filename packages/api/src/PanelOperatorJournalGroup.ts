/** The contract of the operators' console about who did what, over all organizations and beside them. */
import { deedKinds, platformKinds } from "@tolem/core/audit/DeedKinds"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { consoleCodes, errors } from "./Errors.ts"
import { text } from "./Members.ts"
import { journalRecordFields } from "./PanelJournalGroup.ts"
import { isFor, OperatorAdmission, SessionAuthentication } from "./PanelSecurity.ts"
import { ConsoleJournalQuery } from "./Requests.ts"

const ConsoleJournalRecord = Schema.Struct({
  ...journalRecordFields,
  kind: Schema.NullOr(Schema.Literals([...deedKinds, ...platformKinds])).annotate({ description: "What it is about" }),
  organization: Schema.NullOr(Schema.Struct({ id: Schema.String, name: text })).annotate({
    description: "Null: it is of no single organization"
  }),
  detail: text.annotate({ description: "What else is known of it, without what members have typed: a word, or JSON" })
}).annotate({ identifier: "ConsoleJournalRecord" })

const ConsoleJournalPage = Schema.Struct({
  records: Schema.Array(ConsoleJournalRecord),
  next: text.annotate({ description: "The `after` of the next page; null: there is none" })
}).annotate({ identifier: "ConsoleJournalPage" })

/** The journal, for those who run the platform. */
export const operatorJournal = HttpApiGroup.make("operatorJournal")
  .add(
    HttpApiEndpoint.get("list", "/operator/journal", {
      query: ConsoleJournalQuery,
      success: ConsoleJournalPage,
      error: errors(...consoleCodes, "invalid_from", "invalid_to", "invalid_after")
    }).annotateMerge(
      isFor("journal:read", "List what was done, newest first, of one organization, actor, kind or period")
    )
  )
  .middleware(OperatorAdmission)
  .middleware(SessionAuthentication)
