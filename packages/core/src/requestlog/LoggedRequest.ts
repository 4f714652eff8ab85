/** What is kept of a request that came with a key: nothing of its body, its query, its address or its key's text. */
import type { Tenant } from "../value/Tenant.ts"

/** A request that was answered. */
export interface LoggedRequest extends Tenant {
  /** When it began, in real time. */
  readonly at: number
  /** As in the header X-Request-Id. Clients may choose it, so two may have one. */
  readonly requestId: string
  /** The last characters of the key that it came with. */
  readonly keyEnding: string
  readonly method: string
  /** The pattern that the path met, as `/api/v1/invoices/:id`. */
  readonly route: string
  readonly status: number
  /** The code of a refusal; null: there is none. */
  readonly code: string | null
  readonly durationMs: number
}

/** Where a kept request stands among those of its hour. A later request of that hour may take the place. */
export interface RequestPlace {
  readonly at: number
  readonly place: number
}

/** A request as it is kept. */
export type KeptRequest = LoggedRequest & RequestPlace

/** How many requests of an hour there were, those included that are not kept. */
export interface RequestHour extends Tenant {
  readonly hourAt: number
  readonly requests: number
  /** Answered with a status of 400 to 499. */
  readonly refused: number
  /** Answered with a status from 500 on. */
  readonly failed: number
}

/** An hour in milliseconds. */
export const requestHourMs = 3_600_000

/** The start of the hour that an instant lies in. */
export const requestHourOf = (at: number): number => at - (at % requestHourMs)
