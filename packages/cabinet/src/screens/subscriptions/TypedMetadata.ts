/** What the merchant keeps with a subscription, as pairs of a name and a value that are typed. Pure. */
import { exactText, readExact } from "../../api/ExactJson.ts"
import type { ShownSubscription } from "./Subscription.ts"

type Metadata = NonNullable<ShownSubscription["metadata"]>

/** A pair as it is shown. */
export interface TypedPair {
  /** Its own for as long as the form is open. */
  readonly id: number
  readonly name: string
  readonly value: string
  /** The value as a program has written it, if it is no text; it is shown as JSON. */
  readonly written?: Metadata[string]
}

/** What is wrong with a pair. */
export interface PairFault {
  readonly field: "metadata"
  readonly kind: "nameless" | "twice"
  /** Which one. */
  readonly pair: number
}

/** The pairs as the form begins. */
export const typedPairs = (metadata: Metadata | null): ReadonlyArray<TypedPair> =>
  Object.entries(metadata ?? {}).map(([name, value], id) =>
    typeof value === "string" ? { id, name, value } : { id, name, value: exactText(value), written: value }
  )

/** The pairs with an empty one behind them. */
export const withPair = (pairs: ReadonlyArray<TypedPair>): ReadonlyArray<TypedPair> => [
  ...pairs,
  { id: Math.max(-1, ...pairs.map(({ id }) => id)) + 1, name: "", value: "" }
]

const isFilled = ({ name, value }: TypedPair): boolean => name.trim() !== "" || value.trim() !== ""

/** The first pair that has a value and no name, or a name that another has. Empty ones are left out. */
export const faultOfPairs = (pairs: ReadonlyArray<TypedPair>): PairFault | null => {
  const names = new Set<string>()
  for (const { id, name } of pairs.filter(isFilled)) {
    if (name.trim() === "") return { field: "metadata", kind: "nameless", pair: id }
    if (names.has(name)) return { field: "metadata", kind: "twice", pair: id }
    names.add(name)
  }
  return null
}

/** What is kept of them; null: nothing. What was no text stays so for as long as it reads as JSON. */
export const metadataOfPairs = (pairs: ReadonlyArray<TypedPair>): Metadata | null => {
  const filled = pairs.filter(isFilled)
  return filled.length === 0 ? null : Object.fromEntries(filled.map((pair) => [pair.name, keptOf(pair)]))
}

const keptOf = ({ value, written }: TypedPair): Metadata[string] => {
  if (written === undefined) return value
  try {
    return readExact(value) as Metadata[string]
  } catch {
    return value
  }
}
