/** The words of the journal. The same set in each language. */
import type { Deed, DeedKind } from "@tolem/core/audit/DeedKinds"

/** See above. */
export interface JournalTexts {
  readonly title: string
  readonly text: string
  readonly filters: string
  readonly who: string
  readonly anyone: string
  readonly kind: string
  readonly anyKind: string
  readonly from: string
  readonly to: string
  readonly reset: string
  readonly none: string
  readonly noneText: string
  readonly noMatch: string
  readonly noMatchText: string
  readonly older: string
  readonly table: string
  /** Of a person or a key that is called nothing that is known. */
  readonly unknown: Readonly<Record<"account" | "key", string>>
  readonly key: (name: string) => string
  readonly platform: string
  readonly service: string
  readonly kinds: Readonly<Record<DeedKind, string>>
  readonly actions: Readonly<Record<Deed, string>>
  /** Members of details, by their names. */
  readonly labels: Readonly<Record<string, string>>
  /** Values of details, by themselves. */
  readonly values: Readonly<Record<string, string>>
}
