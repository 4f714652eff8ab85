/** The tables whose records are chained, and what of a record its links are made of. */

interface Shape {
  /** The columns that name a record, joined by a blank. */
  readonly id: ReadonlyArray<string>
  /** The column that names whose chain it is in; null: one chain for all. */
  readonly of: string | null
  /** Columns that change by themselves, and gain an attacker nothing. All others are chained, also those that come. */
  readonly loose: ReadonlySet<string>
}

const shape = (members: { id?: Array<string>; of?: string | null; loose?: Array<string> } = {}): Shape => ({
  id: members.id ?? ["id"],
  of: members.of === undefined ? "organization_id" : members.of,
  loose: new Set(members.loose)
})

// Where a subscription stands is told by its events and runs.
const standing = ["status", "next_index", "next_run_at", "last_run_at", "last_invoice_id", "runs", "faults", "fault"]

const shapes = {
  audit: shape(),
  tariff_orders: shape(),
  referral_earnings: shape(),
  payouts: shape({ of: "account_id" }),
  accounts: shape({ of: null }),
  operators: shape({ id: ["account_id"], of: null }),
  organizations: shape({ of: "id", loose: ["clock_ahead_ms"] }),
  memberships: shape({ id: ["organization_id", "account_id"] }),
  invitations: shape(),
  api_keys: shape({ loose: ["last_used_at"] }),
  connections: shape({ loose: ["session", "updated_at", "version"] }),
  endpoints: shape({ loose: ["failure_count", "pause_count", "paused_until", "updated_at"] }),
  payment_links: shape(),
  form_hooks: shape({ loose: ["caught"] }),
  pictures: shape(),
  subscriptions: shape({ loose: [...standing, "due_at", "updated_at", "sequence", "version"] })
}

/** The name of such a table. */
export type Kind = keyof typeof shapes

/** The tables whose records are chained. */
export const kinds = Object.keys(shapes) as ReadonlyArray<Kind>

/** What names a record. */
export const idOf = (kind: Kind, row: object): string =>
  shapes[kind].id.map((column) => String(Reflect.get(row, column))).join(" ")

/** The same of the table `t`, in SQL. */
export const idColumns = (kind: Kind): string => shapes[kind].id.map((column) => `t.${column}`).join(" || ' ' || ")

/** The chain of a record. */
export const chainOf = (kind: Kind, row: object): string => {
  const { of } = shapes[kind]
  return `${kind}/${of === null ? "" : (Reflect.get(row, of) ?? "")}`
}

/** The same of the table `t`, in SQL. */
export const chainColumns = (kind: Kind): string => {
  const { of } = shapes[kind]
  return of === null ? `'${kind}/'` : `'${kind}/' || coalesce(t.${of}, '')`
}

/** The condition that the chain in `column` is one of this kind, in a form that an index answers. */
export const isOfKind = (kind: Kind, column: string): string => `${column} >= '${kind}/' and ${column} < '${kind}0'`

/** What a record holds, as a text, without what is null: columns that come then change none. */
export const textOf = (kind: Kind, row: object): string => {
  const { loose } = shapes[kind]
  const content = Object.entries(row).filter(
    ([name, value]) => value !== null && value !== undefined && !loose.has(name)
  )
  const sorted = content.sort(([a], [b]) => (a < b ? -1 : 1)).flat()
  // A number that no column of ours can hold is of no link.
  return JSON.stringify([kind, ...sorted], (_, value) => (typeof value === "bigint" ? String(value) : value))
}
