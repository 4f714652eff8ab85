/** What the cabinet's calls carry. */
import { maxResent } from "@tolem/core/mail/Mail"
import { KeyScope, Role } from "@tolem/core/merchant/Merchant"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { OrganizationStatus } from "./Account.ts"
import { DateTime, text } from "./Members.ts"

const channel = Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
  description: "One of the names in `channels` of an earlier answer; default: the service's choice"
})

/** A code is asked for. */
export const CodeRequest = Schema.Struct({
  phone: Schema.String.annotate({ description: "7XXXXXXXXXX" }),
  channel
}).annotate({ identifier: "CodeRequest" })

/** A code is asked for by a person who is known already. */
export const ChannelChoice = Schema.Struct({ channel }).annotate({ identifier: "ChannelChoice" })

/** A login that has begun. It is the same for phones that are known and those that are not. */
export const LoginChallenge = Schema.Struct({
  challengeId: Schema.String,
  expiresAt: DateTime,
  retryAfterSeconds: Schema.Int.annotate({ description: "Until another code may be asked for" }),
  channels: Schema.Array(Schema.String)
}).annotate({ identifier: "LoginChallenge" })

/** The code that came. */
export const CodeEntry = Schema.Struct({
  challengeId: Schema.String,
  code: Schema.String.annotate({ description: "Six digits" }),
  name: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "Of the person, for the account that is made if the phone is new"
  })
}).annotate({ identifier: "CodeEntry" })

/** Who is logged in, and until when. */
export const PanelSession = Schema.Struct({
  account: Schema.Struct({
    id: Schema.String,
    phone: Schema.String.annotate({ description: "Masked" }),
    name: Schema.NullOr(Schema.String),
    email: Schema.NullOr(Schema.String).annotate({ description: "Masked" })
  }),
  session: Schema.Struct({
    id: Schema.String,
    createdAt: DateTime,
    idleAt: DateTime.annotate({ description: "When it ends unless it is used before" }),
    expiresAt: DateTime.annotate({ description: "When it ends in any case" }),
    freshUntil: Schema.NullOr(DateTime).annotate({
      description: "Until when its last code is fresh, as making keys, for one, needs"
    })
  }),
  memberships: Schema.Array(
    Schema.Struct({
      organizationId: Schema.String,
      name: Schema.String,
      mode: Mode,
      status: OrganizationStatus,
      role: Role
    })
  ),
  operator: Schema.Boolean.annotate({ description: "Whether the person runs the platform, and has its console" })
}).annotate({ identifier: "PanelSession" })
/** See the schema of the same name. */
export type PanelSession = typeof PanelSession.Type

/** The name of a person, as their colleagues see it. */
export const OwnName = Schema.Struct({ name: Schema.String }).annotate({ identifier: "OwnName" })

/** What is to become a person's e-mail address. */
export const OwnEmail = Schema.Struct({ email: Schema.String }).annotate({ identifier: "OwnEmail" })

/** A code that was sent to an address. */
export const EmailChallenge = Schema.Struct({
  challengeId: Schema.String,
  expiresAt: DateTime,
  retryAfterSeconds: Schema.Int.annotate({ description: "Until another code may be asked for" })
}).annotate({ identifier: "EmailChallenge" })

/** One of a person's sessions. */
const SessionEntry = Schema.Struct({
  id: Schema.String,
  address: Schema.NullOr(Schema.String).annotate({ description: "Where it was opened from" }),
  userAgent: Schema.NullOr(Schema.String),
  createdAt: DateTime,
  seenAt: DateTime.annotate({ description: "When it was last used, to a minute" }),
  idleAt: DateTime,
  expiresAt: DateTime,
  current: Schema.Boolean.annotate({ description: "The session of this very request" })
}).annotate({ identifier: "SessionEntry" })

/** A person's live sessions, newest first. */
export const SessionList = Schema.Struct({ sessions: Schema.Array(SessionEntry) }).annotate({
  identifier: "SessionList"
})

/** How many sessions were ended. */
export const EndedSessions = Schema.Struct({ ended: Schema.Int }).annotate({ identifier: "EndedSessions" })

/** The cashier that a key is to be bound to; null: to none. */
export const KeyBinding = Schema.Struct({ connectionId: Schema.NullOr(Schema.String) }).annotate({
  identifier: "KeyBinding"
})

/** A key, without its text. */
export const PanelKey = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  mode: Mode,
  scopes: Schema.Array(KeyScope),
  lastCharacters: Schema.String,
  connectionId: Schema.NullOr(Schema.String),
  createdAt: DateTime,
  lastUsedAt: Schema.NullOr(DateTime).annotate({ description: "To the minute; null: never" }),
  madeBy: Schema.NullOr(
    Schema.Struct({
      accountId: Schema.String,
      name: text,
      role: Schema.NullOr(Role).annotate({ description: "What they are now; null: no member any more" })
    })
  ).annotate({ description: "The person who has made it in the cabinet; null: not made there, or not known" })
}).annotate({ identifier: "PanelKey" })

/** An organization's keys, oldest first. */
export const PanelKeyList = Schema.Struct({ keys: Schema.Array(PanelKey) }).annotate({ identifier: "PanelKeyList" })

/** A letter about an invoice; one of the status `kept` was not sent, and `reason` says why. */
export const Letter = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["invoice", "receipt"]),
  mode: Mode,
  invoiceId: Schema.String,
  recipient: Schema.String,
  subject: Schema.String,
  text: Schema.String.annotate({ description: "What it says, as its invoice is now" }),
  status: Schema.Literals(["pending", "sending", "sent", "failed", "unknown", "kept"]),
  reason: text.annotate({ description: "For people: why the last attempt failed, or why it was not sent" }),
  attempts: Schema.Int.annotate({ description: "Since it was last sent again" }),
  resent: Schema.Int.annotate({ description: `How often it was sent again, ${maxResent} times at most` }),
  nextAttemptAt: Schema.NullOr(DateTime),
  createdAt: DateTime,
  completedAt: Schema.NullOr(DateTime)
}).annotate({ identifier: "Letter" })

/** Letters about an invoice, oldest first. */
export const LetterList = Schema.Struct({ letters: Schema.Array(Letter) }).annotate({ identifier: "LetterList" })

/** The refusal of a code that was asked for too soon, or too often. */
export const RateLimited = Schema.Struct({
  error: Schema.Literal("rate_limited"),
  message: Schema.String.annotate({ description: "Kazakh text for people; may change" }),
  retryAfterSeconds: Schema.Int.annotate({ description: "Until another code may be asked for" })
}).pipe(HttpApiSchema.status(429))
