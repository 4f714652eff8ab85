/** Challenges and sessions as rows. The key of a challenge's digest is sealed, see `LoginStore`. */
import type { Challenge } from "@tolem/core/login/Challenge"
import type { Session } from "@tolem/core/login/Session"

/** A challenge as the database answers it. */
export interface ChallengeRow {
  readonly id: string
  readonly phone: string
  readonly channel: string
  readonly digest: string
  readonly digest_key: string
  readonly address_digest: string | null
  readonly tries: number
  readonly created_at: number
  readonly expires_at: number
  readonly used_at: number | null
}

/** The challenge of a row, with its key as it was opened. */
export const toChallenge = (row: ChallengeRow, key: Challenge["key"]): Challenge => ({
  id: row.id,
  phone: row.phone,
  channel: row.channel,
  digest: row.digest,
  key,
  addressDigest: row.address_digest,
  tries: row.tries,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  usedAt: row.used_at
})

/** A session as the database answers it. */
export interface SessionRow {
  readonly id: string
  readonly account_id: string
  readonly digest: string
  readonly address: string | null
  readonly user_agent: string | null
  readonly created_at: number
  readonly seen_at: number
  readonly idle_at: number
  readonly expires_at: number
  readonly revoked_at: number | null
}

/** The session of a row. */
export const toSession = (row: SessionRow): Session => ({
  id: row.id,
  accountId: row.account_id,
  digest: row.digest,
  address: row.address,
  userAgent: row.user_agent,
  createdAt: row.created_at,
  seenAt: row.seen_at,
  idleAt: row.idle_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at
})
