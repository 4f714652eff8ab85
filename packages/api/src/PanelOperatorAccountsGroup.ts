/** The contract of the operators' console about people. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { consoleChangeCodes, consoleCodes, errors } from "./Errors.ts"
import { DateTime, text } from "./Members.ts"
import { EndedSessions, PanelSession } from "./Panel.ts"
import { isFor, OperatorAdmission, SessionAuthentication } from "./PanelSecurity.ts"
import { anyText, IdParam } from "./Requests.ts"

/** What is looked for, and the end of the page before. */
const ConsoleListQuery = { search: anyText, after: anyText }

/** Where the page after a list's page begins. */
const next = text.annotate({ description: "The `after` of the next page; null: there is none" })

/** Whether more was found than is shown. */
const isCut = Schema.Boolean.annotate({ description: "Whether more was found: look for something longer" })

const fields = {
  id: Schema.String,
  phone: Schema.String,
  name: text,
  status: Schema.Literals(["active", "blocked"]),
  createdAt: DateTime
}

/** A person in a list. */
export const consoleAccount = Schema.Struct(fields).annotate({ identifier: "ConsoleAccount" })

const ConsoleAccounts = Schema.Struct({
  accounts: Schema.Array(consoleAccount),
  next,
  isCut
}).annotate({ identifier: "ConsoleAccounts" })

const ConsolePerson = Schema.Struct({
  ...fields,
  isOperator: Schema.Boolean,
  sessions: Schema.Int.annotate({ description: "Live ones" }),
  memberships: PanelSession.fields.memberships
}).annotate({ identifier: "ConsolePerson" })

const changed = <const Name extends string, const Path extends `/operator/${string}`>(
  name: Name,
  path: Path,
  summary: string
) =>
  HttpApiEndpoint.post(name, path, {
    params: IdParam,
    success: ConsolePerson,
    error: errors(...consoleChangeCodes, "account_not_found")
  }).annotateMerge(isFor("accounts:change", summary))

/** People, for those who run the platform. */
export const operatorAccounts = HttpApiGroup.make("operatorAccounts")
  .add(
    HttpApiEndpoint.get("list", "/operator/accounts", {
      query: ConsoleListQuery,
      success: ConsoleAccounts,
      error: errors(...consoleCodes, "invalid_after")
    }).annotateMerge(
      isFor("accounts:read", "List people, newest first, or find those whose id, phone or name begins so")
    ),
    HttpApiEndpoint.get("get", "/operator/accounts/:id", {
      params: IdParam,
      success: ConsolePerson,
      error: errors(...consoleCodes, "account_not_found")
    }).annotateMerge(isFor("accounts:read", "Read a person, with what they are a member of")),
    changed("block", "/operator/accounts/:id/block", "Block a person: sessions end, keys of their organizations too"),
    changed("unblock", "/operator/accounts/:id/unblock", "Let a person act again"),
    HttpApiEndpoint.post("endSessions", "/operator/accounts/:id/end-sessions", {
      params: IdParam,
      success: EndedSessions,
      error: errors(...consoleChangeCodes, "account_not_found")
    }).annotateMerge(isFor("accounts:change", "End all sessions of a person"))
  )
  .middleware(OperatorAdmission)
  .middleware(SessionAuthentication)
