/** Who did what in the organization, when, and from where; what is looked for stands in the address. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Download } from "lucide-react"
import { linkOf } from "../api/Call.ts"
import { ask } from "../api/Session.ts"
import { deedKinds, type JournalFilter, journalIn } from "../app/JournalFilter.ts"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { SelectField } from "../parts/Choice.tsx"
import { Field } from "../parts/Field.tsx"
import { Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import styles from "./journal/Journal.module.css"
import { actorName, Records } from "./journal/Records.tsx"
import { useJournalTexts } from "./journal/Texts.ts"

const useJournal = (filter: JournalFilter) => {
  const { params, query } = useGiven()
  const call = "GET /panel/orgs/:organizationId/journal"
  const wanted = { ...query, ...filter }
  return useInfiniteQuery({
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
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useJournal(filter)
  const records = data?.pages.flatMap((page) => page.records)
  const isNarrow = Object.keys(filter).length > 0
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
      {error !== null && <Refused failure={error} />}
      {records === undefined && error === null && <Skeleton lines={6} tall />}
      {records?.length === 0 && !isPlaceholderData && (
        <Card
          title={isNarrow ? journal.noMatch : journal.none}
          text={isNarrow ? journal.noMatchText : journal.noneText}
        />
      )}
      {records !== undefined && records.length > 0 && (
        <div aria-busy={isPlaceholderData || undefined} className={styles["list"]}>
          <Records records={records} />
          {hasNextPage && (
            <Button look="plain" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {journal.older}
            </Button>
          )}
          <TableLink filter={filter} />
        </div>
      )}
    </div>
  )
}

interface FilterProps {
  readonly filter: JournalFilter
  readonly onChange: (filter: JournalFilter) => void
}

const changed = (filter: JournalFilter, name: keyof JournalFilter, value: string): JournalFilter => {
  const { [name]: _, ...rest } = filter
  return value === "" ? rest : { ...rest, [name]: value }
}

const Filter = ({ filter, onChange }: FilterProps) => {
  const journal = useJournalTexts()
  const { data } = useQuery(reading("GET /panel/orgs/:organizationId/journal/actors", useGiven()))
  const set = (name: keyof JournalFilter) => (value: string) => onChange(changed(filter, name, value))
  const { actor = "", kind = "", from = "", to = "" } = filter
  const actors = data?.actors ?? []
  const isGone = actor !== "" && actors.every(({ id }) => id !== actor)
  return (
    <search className={styles["filter"]} aria-label={journal.filters}>
      <SelectField
        label={journal.who}
        value={actor}
        onChange={({ currentTarget }) => set("actor")(currentTarget.value)}
      >
        <option value="">{journal.anyone}</option>
        {actors.map((each) => (
          <option key={each.id} value={each.id}>
            {actorName(each, journal)}
          </option>
        ))}
        {isGone && <option value={actor}>{journal.unknown[actor.startsWith("key_") ? "key" : "account"]}</option>}
      </SelectField>
      <SelectField label={journal.kind} value={kind} onChange={({ currentTarget }) => set("kind")(currentTarget.value)}>
        <option value="">{journal.anyKind}</option>
        {deedKinds.map((each) => (
          <option key={each} value={each}>
            {journal.kinds[each]}
          </option>
        ))}
      </SelectField>
      <Field
        label={journal.from}
        type="date"
        value={from}
        max={filter.to}
        onChange={({ currentTarget }) => set("from")(currentTarget.value)}
      />
      <Field
        label={journal.to}
        type="date"
        value={to}
        min={filter.from}
        onChange={({ currentTarget }) => set("to")(currentTarget.value)}
      />
      {Object.keys(filter).length > 0 && (
        <Button look="plain" isSmall onClick={() => onChange({})}>
          {journal.reset}
        </Button>
      )}
    </search>
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
