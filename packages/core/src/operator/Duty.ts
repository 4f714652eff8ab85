/**
 * What those who run the platform may do in their console: one table, the same for all of them. Every call of the
 * console asks it in one place, and the documents print it. Pure.
 */

interface Row {
  /** What it is to do, for the documents. */
  readonly about: string
  /** Whether it takes a code that the operator was sent some minutes ago at most: all does that changes something. */
  readonly fresh: boolean
}

const rows = {
  "accounts:read": { about: "Find people by id, phone or name, and see their organizations", fresh: false },
  "accounts:change": { about: "Block people and let them act again, end their sessions", fresh: true },
  "platform:read": {
    about: "See servers, their agents, and what needs a person, over all organizations",
    fresh: false
  },
  "refunds:ask": {
    about: "Ask the provider again about a refund of unknown outcome, for a reason that the owner reads",
    fresh: true
  },
  "organizations:read": { about: "Find organizations, and see their tariff, mode and counts", fresh: false },
  "organizations:change": { about: "Archive organizations and restore them", fresh: true },
  "tariffs:grant": { about: "Grant an organization a tariff free of charge", fresh: true },
  "earnings:read": {
    about: "See what referrers have earned, what they were paid, and what is still to be paid",
    fresh: false
  },
  "earnings:pay": { about: "Note that a referrer was paid", fresh: true },
  "journal:read": {
    about: "See who did what, when, and from where, over all organizations and beside them",
    fresh: false
  },
  "invoices:look": {
    about: "Look at an invoice of a merchant, for a reason that the owner reads in their journal",
    fresh: true
  }
} as const satisfies Readonly<Record<string, Row>>

/** Something that an operator may be asked to do. */
export type Duty = keyof typeof rows

/** The table. */
export const duties: Readonly<Record<Duty, Row>> = rows

/** All of them, in the order of the table. */
export const allDuties = Object.keys(rows) as ReadonlyArray<Duty>
