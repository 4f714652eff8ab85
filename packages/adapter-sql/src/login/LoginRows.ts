/** Challenges and sessions as rows. */
import type { Challenge } from "@tolem/core/login/Challenge"
import type { Session } from "@tolem/core/login/Session"
import { type RowOf, table } from "../base/Table.ts"

/** A challenge with the key of its digest sealed, see `LoginStore`. */
export type SealedChallenge = Omit<Challenge, "key"> & { readonly digestKey: string }

/** The table of challenges. */
export const challengeTable = table<SealedChallenge>("login_challenges")({
  id: "text",
  phone: "text",
  channel: "text",
  digest: "text",
  digestKey: "text",
  addressDigest: "text",
  tries: "bigint",
  createdAt: "bigint",
  expiresAt: "bigint",
  usedAt: "bigint"
})

/** A row of the table of challenges. */
export type ChallengeRow = RowOf<typeof challengeTable>

/** The table of sessions. */
export const sessionTable = table<Session>("sessions")({
  id: "text",
  accountId: "text",
  digest: "text",
  address: "text",
  userAgent: "text",
  createdAt: "bigint",
  seenAt: "bigint",
  idleAt: "bigint",
  expiresAt: "bigint",
  revokedAt: "bigint",
  freshUntil: "bigint"
})

/** A row of the table of sessions. */
export type SessionRow = RowOf<typeof sessionTable>
