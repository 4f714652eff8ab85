/** Who did what in the organization, when, and from where; what is looked for stands in the address. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Download } from "lucide-react"
import { linkOf } from "../api/Call.ts"
import { ask } from "../api/Session.ts"
import { deedKinds, type JournalFilter, journalIn, narrowed } from "../app/JournalFilter.ts"
import { usePages } from "../app/Pages.ts"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { SelectField } from "../parts/Choice.tsx"
import rows from "../parts/Rows.module.css"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import styles from "./journal/Journal.module.css"
import { Narrow } from "./journal/Narrow.tsx"
import { Pages } from "./journal/Pages.tsx"
import { actorName, MerchantEntry } from "./journal/Records.tsx"
import { useJournalTexts } from "./journal/Texts.ts"

const useJournal = (filter: JournalFilter) => {
  const { params, query } = useGiven()
  const call = "GET /panel/orgs/:organizationId/journal"
  const wanted = { ...query, ...filter }
  return usePages({
    queryKey: [call, { params, query: wanted }],
    queryFn: ({ pageParam: after, signal }) =>
      ask(call, { params, query: { ...wanted, ...(after !== null && { after }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData
  })
}

/** The screen. */
export const Journal = () => {
  const journal = useJournalTexts()
  const navigate = useNavigate()
  const filter = journalIn(useSearch({ strict: false }))
  const found = useJournal(filter)
  useTitle(journal.title)
  const narrow = (next: JournalFilter) =>
    void navigate({ to: ".", search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...next }), replace: true })
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{journal.title}</h1>
      </header>
      <p className={styles["text"]}>{journal.text}</p>
      <Filter filter={filter} onChange={narrow} />
      <Pages
        records={found.data?.pages.flatMap(({ records }) => records)}
        isNarrow={Object.keys(filter).length > 0}
        reading={found}
        foot={<TableLink filter={filter} />}
      >
        {(entry) => <MerchantEntry key={entry.id} entry={entry} />}
      </Pages>
    </div>
  )
}

interface FilterProps {
  readonly filter: JournalFilter
  readonly onChange: (filter: JournalFilter) => void
}

const Filter = ({ filter, onChange }: FilterProps) => {
  const journal = useJournalTexts()
  const { data } = useQuery(reading("GET /panel/orgs/:organizationId/journal/actors", useGiven()))
  const { actor = "" } = filter
  const actors = data?.actors ?? []
  const isGone = actor !== "" && actors.every(({ id }) => id !== actor)
  return (
    <Narrow filter={filter} kinds={deedKinds.map((kind) => [kind, journal.kinds[kind]] as const)} onChange={onChange}>
      <SelectField
        label={journal.who}
        value={actor}
        onChange={({ currentTarget }) => onChange(narrowed(filter, "actor", currentTarget.value))}
      >
        <option value="">{journal.anyone}</option>
        {actors.map((each) => (
          <option key={each.id} value={each.id}>
            {actorName(each, journal)}
          </option>
        ))}
        {isGone && <option value={actor}>{journal.unknown[actor.startsWith("key_") ? "key" : "account"]}</option>}
      </SelectField>
    </Narrow>
  )
}

/** All that the filter lets through, as a file for spreadsheets. */
const TableLink = ({ filter }: Pick<FilterProps, "filter">) => {
  const journal = useJournalTexts()
  const { language } = useWords()
  const { params, query } = useGiven()
  const given = { params, query: { ...query, ...filter, lang: language, bom: "1" } }
  return (
    <a className={styles["file"]} href={linkOf("GET /panel/orgs/:organizationId/journal.csv", given)} download>
      <Download size={18} aria-hidden />
      {journal.table}
    </a>
  )
}
