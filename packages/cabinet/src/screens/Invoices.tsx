/** The invoices of an organization: found by words, status and days, which stand in the address. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { type InvoiceFilter, isNarrow } from "../app/InvoiceFilter.ts"
import { useHere } from "../app/Organization.ts"
import { useMay } from "../app/Permissions.ts"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { modeAlone } from "../app/Sections.tsx"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { count } from "../parts/MoneyWords.ts"
import { Refused } from "../parts/Refused.tsx"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { Filter } from "./invoices/Filter.tsx"
import styles from "./invoices/Invoices.module.css"
import { Table } from "./invoices/Table.tsx"

const perPage = 25

/** The screen. */
export const Invoices = () => {
  const { texts } = useWords()
  const navigate = useNavigate()
  const { params, query } = useGiven()
  const { status, search, from, to, offset = 0 } = useSearch({ strict: false })
  const filter: InvoiceFilter = {
    ...(status !== undefined && { status }),
    ...(search !== undefined && { search }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to })
  }
  const given = { params, query: { ...query, ...filter, limit: perPage, offset } }
  const list = reading("GET /panel/orgs/:organizationId/invoices", given)
  const { data, error, isPlaceholderData } = useQuery({ ...list, placeholderData: keepPreviousData })
  useTitle(texts.invoices.title)
  const narrow = (next: InvoiceFilter) =>
    void navigate({ to: ".", search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...next }), replace: true })
  const isEmpty = data?.total === 0 && !isPlaceholderData
  return (
    <div className={styles["screen"]}>
      <header>
        <h1>{texts.invoices.title}</h1>
        <p role="status">{data !== undefined && data.total > 0 && texts.invoices.found(count(data.total))}</p>
      </header>
      {!(isEmpty && !isNarrow(filter)) && <Filter filter={filter} onChange={narrow} />}
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={6} tall />}
      {isEmpty && <Nothing isNarrow={isNarrow(filter)} onReset={() => narrow({})} />}
      {data !== undefined && data.invoices.length > 0 && (
        <div aria-busy={isPlaceholderData || undefined} className={styles["list"]}>
          <Table rows={data.invoices} />
          <Pages
            offset={offset}
            total={data.total}
            onGo={(next) => narrow({ ...filter, ...(next > 0 && { offset: next }) })}
          />
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

interface PagesProps {
  readonly offset: number
  readonly total: number
  readonly onGo: (offset: number) => void
}

const Pages = ({ offset, total, onGo }: PagesProps) => {
  const { texts } = useWords()
  if (total <= perPage && offset === 0) return null
  const last = Math.min(offset + perPage, total)
  return (
    <nav className={styles["pages"]} aria-label={texts.invoices.page}>
      <Button look="plain" isSmall disabled={offset === 0} onClick={() => onGo(Math.max(0, offset - perPage))}>
        {texts.invoices.newer}
      </Button>
      <span>
        {count(offset + 1)}–{count(last)} / {count(total)}
      </span>
      <Button look="plain" isSmall disabled={last >= total} onClick={() => onGo(offset + perPage)}>
        {texts.invoices.older}
      </Button>
    </nav>
  )
}
