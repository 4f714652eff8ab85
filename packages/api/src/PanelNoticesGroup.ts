/** The contract of what a member is told of: each reads and changes their own, and no other's. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changingCodes, confirmedCodes, deskCodes, errors } from "./Errors.ts"
import { DateTime, money, text, whole } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { ofOne, ofOrganization } from "./Requests.ts"

const NoticeKind = Schema.Literals([
  "paid",
  "late",
  "cashiers",
  "webhooks",
  "refunds",
  "subscriptions",
  "tariff",
  "reconciliation"
])

const QuietHours = Schema.Struct({
  from: Schema.String.annotate({ description: "Of Almaty, as `22:00`" }),
  to: Schema.String.annotate({ description: "The same; before `from` it is of the next day" }),
  days: Schema.Array(whole(1, 7)).annotate({ description: "On which they begin: 1 is Monday" })
})

const wishes = {
  kinds: Schema.Array(NoticeKind).annotate({ description: "None: nothing is told through this channel" }),
  minimum: Schema.NullOr(money).annotate({ description: "Payments of less are not told" }),
  quiet: Schema.NullOr(QuietHours).annotate({ description: "What happens meanwhile is told afterwards" }),
  language: Schema.Literals(["kk", "ru", "en"])
}

const NoticeWish = Schema.Struct(wishes).annotate({ identifier: "NoticeWish" })

const NoticeLine = Schema.NullOr(
  Schema.Struct({
    ...wishes,
    isGivenUp: Schema.Boolean.annotate({ description: "The last message was not taken; it is tried anew after a day" }),
    toldAt: Schema.NullOr(DateTime),
    reason: text.annotate({ description: "Why the last message was not taken, or may not have been" }),
    waiting: whole(0).annotate({ description: "Things that wait to be told" })
  }).annotate({ identifier: "NoticeLine" })
)

const NoticeView = Schema.Struct({
  letter: NoticeLine,
  telegram: NoticeLine,
  email: text,
  hasLetters: Schema.Boolean,
  chat: Schema.Struct({
    isOffered: Schema.Boolean,
    isLinked: Schema.Boolean,
    end: Schema.NullOr(Schema.Literals(["blocked", "stopped"]))
  })
}).annotate({ identifier: "NoticeView" })

const ChatInvitation = Schema.Struct({
  url: Schema.String,
  command: Schema.String,
  until: DateTime
}).annotate({ identifier: "ChatInvitation" })

/** What members are told of. */
export const notices = HttpApiGroup.make("notices")
  .add(
    HttpApiEndpoint.get("get", "/orgs/:organizationId/notices", {
      ...ofOrganization,
      success: NoticeView,
      error: errors(...deskCodes)
    }).annotateMerge(needs("notices:choose", "What one is told of, and whether it arrives")),
    HttpApiEndpoint.put("choose", "/orgs/:organizationId/notices/:id", {
      ...ofOne,
      payload: NoticeWish,
      success: NoticeView,
      error: errors(...changingCodes, "invalid_request", "invalid_amount", "invalid_email")
    }).annotateMerge(needs("notices:choose", "Choose what one is told through a channel, `letter` or `telegram`")),
    HttpApiEndpoint.post("test", "/orgs/:organizationId/notices/:id/test", {
      ...ofOne,
      success: NoticeView,
      error: errors(...deskCodes, "cross_site_request", "invalid_request")
    }).annotateMerge(needs("notices:choose", "Have a test message sent, one a minute at most")),
    HttpApiEndpoint.post("invite", "/orgs/:organizationId/chat", {
      ...ofOrganization,
      success: ChatInvitation,
      error: errors(...confirmedCodes, "no_channel")
    }).annotateMerge(needs("notices:chat", "Ask for the address that begins one's chat with the bot; ten minutes")),
    HttpApiEndpoint.delete("leave", "/orgs/:organizationId/chat", {
      ...ofOrganization,
      success: HttpApiSchema.NoContent,
      error: errors(...deskCodes, "cross_site_request")
    }).annotateMerge(needs("notices:choose", "End one's chat with the bot"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
