/** A session as the cabinet is shown it. */
import type { MembershipView } from "../merchant/DirectoryStore.ts"
import { membershipJson } from "../merchant/KeyJson.ts"
import { toIso } from "../value/Calendar.ts"
import { masked, maskedEmail } from "../value/Phone.ts"
import type { SessionHolder } from "./LoginStore.ts"
import type { LoginBegun } from "./Logins.ts"
import type { Session } from "./Session.ts"

/** A login that has begun. */
export const loginBegunJson = (begun: LoginBegun) => ({ ...begun, expiresAt: toIso(begun.expiresAt) })

/** A code that was sent to what is to become a person's address. */
export const emailBegunJson = (begun: Omit<LoginBegun, "channels">) => ({ ...begun, expiresAt: toIso(begun.expiresAt) })

/** One of a person's sessions, for them to recognise it by. `current`: the one that asks. */
const sessionEntryJson = (session: Session, current: string) => ({
  id: session.id,
  address: session.address,
  userAgent: session.userAgent,
  createdAt: toIso(session.createdAt),
  seenAt: toIso(session.seenAt),
  idleAt: toIso(session.idleAt),
  expiresAt: toIso(session.expiresAt),
  current: session.id === current
})

/** A person's live sessions, seen from the one with the id `current`. */
export const sessionsJson = (sessions: ReadonlyArray<Session>, current: string) => ({
  sessions: sessions.map((session) => sessionEntryJson(session, current))
})

/** Who is logged in, and until when. Holds nothing that a session could be used with. */
export const sessionJson = ({ session, account }: SessionHolder, parts: ReadonlyArray<MembershipView>) => ({
  account: { id: account.id, phone: masked(account.phone), name: account.name, email: maskedEmail(account.email) },
  session: {
    id: session.id,
    createdAt: toIso(session.createdAt),
    idleAt: toIso(session.idleAt),
    expiresAt: toIso(session.expiresAt),
    freshUntil: session.freshUntil === null ? null : toIso(session.freshUntil)
  },
  memberships: parts.map(membershipJson)
})

/** The same in the cabinet, which knows a console of those who run the platform. */
export const panelSessionJson = (holder: SessionHolder, parts: ReadonlyArray<MembershipView>, isOperator: boolean) => ({
  ...sessionJson(holder, parts),
  operator: isOperator
})
