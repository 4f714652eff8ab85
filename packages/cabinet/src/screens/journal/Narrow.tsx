/** What a journal is narrowed down to: some fields of its own, the kind of deeds, and days. */
import type { ReactNode } from "react"
import { narrowed } from "../../app/JournalFilter.ts"
import { Button } from "../../parts/Button.tsx"
import { SelectField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import styles from "./Journal.module.css"
import { useJournalTexts } from "./Texts.ts"

interface NarrowProps<F> {
  readonly filter: F
  /** The kinds that may be asked for, with what they are called. */
  readonly kinds: ReadonlyArray<readonly [kind: string, name: string]>
  readonly onChange: (filter: F) => void
  /** The fields in front of the kind. */
  readonly children: ReactNode
}

interface Common {
  kind?: string
  from?: string
  to?: string
}

/** The fields. */
export const Narrow = <F extends Common>({ filter, kinds, onChange, children }: NarrowProps<F>) => {
  const journal = useJournalTexts()
  const { kind = "", from = "", to = "" } = filter
  const set = (name: keyof Common, value: string) => onChange(narrowed(filter, name, value))
  return (
    <search className={styles["filter"]} aria-label={journal.filters}>
      {children}
      <SelectField label={journal.kind} value={kind} onChange={({ currentTarget }) => set("kind", currentTarget.value)}>
        <option value="">{journal.anyKind}</option>
        {kinds.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </SelectField>
      <div className={styles["pair"]}>
        <Field
          label={journal.from}
          type="date"
          value={from}
          max={filter.to}
          onChange={({ currentTarget }) => set("from", currentTarget.value)}
        />
        <Field
          label={journal.to}
          type="date"
          value={to}
          min={filter.from}
          onChange={({ currentTarget }) => set("to", currentTarget.value)}
        />
      </div>
      {Object.keys(filter).length > 0 && (
        <Button look="plain" isSmall onClick={() => onChange({} as F)}>
          {journal.reset}
        </Button>
      )}
    </search>
  )
}
