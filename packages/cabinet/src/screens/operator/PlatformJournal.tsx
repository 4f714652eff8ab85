/** Who did what over all organizations and beside them; what is looked for stands in the address. */
import { keepPreviousData } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { ask } from "../../api/Session.ts"
import {
  type ConsoleJournalFilter,
  consoleJournalIn,
  deedKinds,
  narrowed,
  platformKinds
} from "../../app/JournalFilter.ts"
import { usePages } from "../../app/Pages.ts"
import { Field } from "../../parts/Field.tsx"
import rows from "../../parts/Rows.module.css"
import { useTitle } from "../../parts/Title.ts"
import styles from "../journal/Journal.module.css"
import { Narrow } from "../journal/Narrow.tsx"
import { Pages } from "../journal/Pages.tsx"
import { useJournalTexts } from "../journal/Texts.ts"
import { PlatformEntry } from "./PlatformEntry.tsx"
import { useOperatorTexts } from "./Texts.ts"

const call = "GET /panel/operator/journal"

const usePlatformJournal = (filter: ConsoleJournalFilter) =>
  usePages({
    queryKey: [call, filter],
    queryFn: ({ pageParam: after, signal }) =>
      ask(call, { query: { ...filter, ...(after !== null && { after }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData
  })

/** The screen. */
export const PlatformJournal = () => {
  const { journal } = useOperatorTexts()
  const navigate = useNavigate()
  const filter = consoleJournalIn(useSearch({ strict: false }))
  const found = usePlatformJournal(filter)
  useTitle(journal.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{journal.title}</h1>
      </header>
      <p className={styles["text"]}>{journal.text}</p>
      <Filter filter={filter} onChange={(search) => void navigate({ to: ".", search, replace: true })} />
      <Pages
        records={found.data?.pages.flatMap(({ records }) => records)}
        isNarrow={Object.keys(filter).length > 0}
        reading={found}
      >
        {(entry) => <PlatformEntry key={entry.id} entry={entry} />}
      </Pages>
    </div>
  )
}

interface FilterProps {
  readonly filter: ConsoleJournalFilter
  readonly onChange: (filter: ConsoleJournalFilter) => void
}

const Filter = ({ filter, onChange }: FilterProps) => {
  const { kinds, who } = useJournalTexts()
  const { journal } = useOperatorTexts()
  const { organization = "", actor = "" } = filter
  const all = [
    ...deedKinds.map((kind) => [kind, kinds[kind]] as const),
    ...platformKinds.map((kind) => [kind, journal.kinds[kind]] as const)
  ]
  return (
    <Narrow filter={filter} kinds={all} onChange={onChange}>
      <div className={styles["pair"]}>
        <IdField
          key={`of ${organization}`}
          label={journal.organization}
          form="org_…"
          value={organization}
          onChange={(id) => onChange(narrowed(filter, "organization", id))}
        />
        <IdField
          key={`by ${actor}`}
          label={who}
          form="acc_…, key_…"
          value={actor}
          onChange={(id) => onChange(narrowed(filter, "actor", id))}
        />
      </div>
    </Narrow>
  )
}

interface IdFieldProps {
  readonly label: string
  /** How an id begins. */
  readonly form: string
  readonly value: string
  readonly onChange: (id: string) => void
}

/** A field that takes hold once what was typed is sent, or left. */
const IdField = ({ label, form, value, onChange }: IdFieldProps) => {
  const [typed, setTyped] = useState(value)
  const take = () => {
    const id = typed.replaceAll(/\s/g, "").slice(0, 80)
    if (id !== value) onChange(id)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    take()
  }
  return (
    <form onSubmit={submit}>
      <Field
        label={label}
        placeholder={form}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={take}
      />
    </form>
  )
}
