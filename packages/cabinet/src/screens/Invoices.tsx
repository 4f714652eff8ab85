/** The invoices of an organization: found by words, status and days, which stand in the address. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { ask } from "../api/Session.ts"
import { type InvoiceFilter, isNarrow } from "../app/InvoiceFilter.ts"
import { useHere } from "../app/Organization.ts"
import { useMay } from "../app/Permissions.ts"
import { useGiven } from "../app/Places.ts"
import { modeAlone } from "../app/Sections.tsx"
import { receivedOf, useSums } from "../app/Sums.ts"
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
  return useInfiniteQuery({
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
  const { status, search, from, to } = useSearch({ strict: false })
  const filter: InvoiceFilter = {
    ...(status !== undefined && { status }),
    ...(search !== undefined && { search }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to })
  }
  const list = useList(filter)
  const sums = useSums(filter)
  const received = sums === null ? null : receivedOf(sums)
  const rows = list.data?.pages.flatMap(({ invoices }) => invoices)
  useTitle(texts.invoices.title)
  const narrow = (next: InvoiceFilter) =>
    void navigate({ to: ".", search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...next }), replace: true })
  const isEmpty = rows?.length === 0 && !list.isPlaceholderData
  return (
    <div className={styles["screen"]}>
      <header>
        <h1>{texts.invoices.title}</h1>
        <p role="status">
          {sums !== null && sums.count > 0 && texts.invoices.found(count(sums.count))}
          {received !== null && received.count > 0 && (
            <strong>{texts.invoices.received(tenge(received.amount))}</strong>
          )}
        </p>
      </header>
      {!(isEmpty && !isNarrow(filter)) && <Filter filter={filter} onChange={narrow} />}
      {list.error !== null && <Refused failure={list.error} />}
      {rows === undefined && list.error === null && <Skeleton lines={6} tall />}
      {isEmpty && <Nothing isNarrow={isNarrow(filter)} onReset={() => narrow({})} />}
      {rows !== undefined && rows.length > 0 && (
        <div aria-busy={list.isPlaceholderData || undefined} className={styles["list"]}>
          <Table rows={rows} />
          {list.hasNextPage && (
            <Button look="plain" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {texts.invoices.older}
            </Button>
          )}
        </div>
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
