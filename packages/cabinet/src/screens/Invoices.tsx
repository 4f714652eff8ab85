/** The invoices of an organization: found by a filter, which stands in the address, with their sums and as a file. */
import { keepPreviousData } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { day } from "@tolem/http-server/pages/Formats"
import { ask } from "../api/Session.ts"
import { filterIn, type InvoiceFilter, isNarrow } from "../app/InvoiceFilter.ts"
import { ListFiles } from "../app/ListFiles.tsx"
import { useHere } from "../app/Organization.ts"
import { usePages } from "../app/Pages.ts"
import { useMay } from "../app/Permissions.ts"
import { useGiven } from "../app/Places.ts"
import { modeAlone } from "../app/Sections.tsx"
import { useSums } from "../app/Sums.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { count, tenge } from "../parts/MoneyWords.ts"
import { Refused } from "../parts/Refused.tsx"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { Filter } from "./invoices/Filter.tsx"
import styles from "./invoices/Invoices.module.css"
import { Table } from "./invoices/Table.tsx"

const perPage = 25

/** The pages of the list so far. */
const useList = (filter: InvoiceFilter) => {
  const { params, query } = useGiven()
  const call = "GET /panel/orgs/:organizationId/invoices"
  const given = { params, query: { ...query, ...filter, limit: perPage } }
  return usePages({
    queryKey: [call, given, "pages"],
    queryFn: ({ pageParam, signal }) =>
      ask(call, { params, query: { ...given.query, ...(pageParam !== null && { after: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData
  })
}

/** The screen. */
export const Invoices = () => {
  const { texts } = useWords()
  const navigate = useNavigate()
  const filter = filterIn(useSearch({ strict: false }))
  const list = useList(filter)
  const rows = list.data?.pages.flatMap(({ invoices }) => invoices)
  useTitle(texts.invoices.title)
  const narrow = (next: InvoiceFilter) =>
    void navigate({ to: ".", search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...next }), replace: true })
  const isEmpty = rows?.length === 0 && !list.hasNextPage && !list.isPlaceholderData
  // A request looks at so many rows, and may end before it has found a page.
  const lookedTo = list.hasNextPage ? (list.data?.pages.at(-1)?.lookedTo ?? null) : null
  return (
    <div className={styles["screen"]}>
      <header>
        <h1>{texts.invoices.title}</h1>
        <Found filter={filter} />
      </header>
      {!(isEmpty && !isNarrow(filter)) && <Filter filter={filter} onChange={narrow} />}
      {list.error !== null && <Refused failure={list.error} />}
      {rows === undefined && list.error === null && <Skeleton lines={6} tall />}
      {isEmpty && <Nothing isNarrow={isNarrow(filter)} onReset={() => narrow({})} />}
      {rows !== undefined && !isEmpty && (
        <div aria-busy={list.isPlaceholderData || undefined} className={styles["list"]}>
          {rows.length > 0 && <Table rows={rows} />}
          {rows.length === 0 && <p className={styles["quiet"]}>{texts.invoices.noneYet}</p>}
          {lookedTo !== null && <LookedTo at={lookedTo} />}
          {list.hasNextPage && (
            <Button look="plain" isBusy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              {lookedTo === null ? texts.invoices.older : texts.invoices.further}
            </Button>
          )}
          {rows.length > 0 && <ListFiles list="invoices" filter={filter} />}
        </div>
      )}
    </div>
  )
}

/** How far back was looked. */
const LookedTo = ({ at }: { readonly at: string }) => {
  const { texts, language } = useWords()
  return <p className={styles["quiet"]}>{texts.invoices.lookedTo(day(Date.parse(at), language))}</p>
}

interface OfFilter {
  readonly filter: InvoiceFilter
}

/** How many there are, and what came in of them. */
const Found = ({ filter }: OfFilter) => {
  const { texts, language } = useWords()
  const { invoices } = texts
  const sums = useSums(filter)
  const isTold = sums !== null && (sums.count > 0 || sums.lookedTo !== null)
  return (
    <div className={styles["sums"]}>
      <p role="status">
        {isTold && invoices.found(count(sums.count))}
        {isTold && sums.received.count > 0 && <strong>{invoices.received(tenge(sums.received.amount))}</strong>}
        {isTold && sums.lookedTo !== null && <em>{invoices.lookedTo(day(Date.parse(sums.lookedTo), language))}</em>}
      </p>
      {isTold && sums.lookedTo !== null && (
        <Button look="plain" isSmall isBusy={sums.isLooking} onClick={sums.further}>
          {invoices.further}
        </Button>
      )}
    </div>
  )
}

interface NothingProps {
  readonly isNarrow: boolean
  readonly onReset: () => void
}

const Nothing = ({ isNarrow: hasFilter, onReset }: NothingProps) => {
  const { texts } = useWords()
  const { organizationId } = useHere()
  const may = useMay()
  const { none, noneText, noMatch, noMatchText, reset } = texts.invoices
  if (hasFilter) {
    return (
      <Card title={noMatch} text={noMatchText}>
        <div>
          <Button look="second" onClick={onReset}>
            {reset}
          </Button>
        </div>
      </Card>
    )
  }
  return (
    <Card title={none} text={noneText}>
      {may("invoices:create") !== null && (
        <Link to="/$organizationId/charge" params={{ organizationId }} search={modeAlone}>
          {texts.till.title}
        </Link>
      )}
    </Card>
  )
}
