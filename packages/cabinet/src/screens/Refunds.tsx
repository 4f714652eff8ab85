/** Refunds over all invoices: those that are unclear on top, then all; what is looked for stands in the address. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { ListFiles } from "../app/ListFiles.tsx"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { type RefundFilter, refundStatuses, refundsIn } from "../app/RefundFilter.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { SelectField } from "../parts/Choice.tsx"
import { Field } from "../parts/Field.tsx"
import { count as countText, tenge } from "../parts/MoneyWords.ts"
import { Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useRefunds } from "./refunds/Refund.ts"
import { RefundRow } from "./refunds/RefundRow.tsx"
import styles from "./refunds/Refunds.module.css"
import { useRefundsTexts } from "./refunds/Texts.ts"
import { Unclear } from "./refunds/Unclear.tsx"

/** The screen. */
export const Refunds = () => {
  const words = useRefundsTexts()
  const filter = refundsIn(useSearch({ strict: false }))
  useTitle(words.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{words.title}</h1>
      </header>
      <p className={styles["text"]}>{words.text}</p>
      <Unclear />
      <Filter filter={filter} />
      <Sums filter={filter} />
      <All filter={filter} />
    </div>
  )
}

const changed = (filter: RefundFilter, name: keyof RefundFilter, value: string): RefundFilter => {
  const { [name]: _, ...rest } = filter
  return refundsIn(value === "" ? rest : { ...rest, [name]: value })
}

const Filter = ({ filter }: { readonly filter: RefundFilter }) => {
  const words = useRefundsTexts()
  const navigate = useNavigate()
  const narrow = (next: RefundFilter) =>
    void navigate({ to: ".", search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...next }), replace: true })
  const set = (name: keyof RefundFilter, value: string) => narrow(changed(filter, name, value))
  return (
    <search className={styles["filter"]} aria-label={words.filters}>
      <SelectField
        label={words.status}
        value={filter.status ?? ""}
        onChange={({ currentTarget }) => set("status", currentTarget.value)}
      >
        <option value="">{words.any}</option>
        {refundStatuses.map((each) => (
          <option key={each} value={each}>
            {words.statuses[each]}
          </option>
        ))}
      </SelectField>
      <Field
        label={words.from}
        type="date"
        value={filter.from ?? ""}
        max={filter.to}
        onChange={({ currentTarget }) => set("from", currentTarget.value)}
      />
      <Field
        label={words.to}
        type="date"
        value={filter.to ?? ""}
        min={filter.from}
        onChange={({ currentTarget }) => set("to", currentTarget.value)}
      />
      {Object.keys(filter).length > 0 && (
        <Button look="plain" isSmall onClick={() => narrow({})}>
          {words.reset}
        </Button>
      )}
    </search>
  )
}

const Sums = ({ filter }: { readonly filter: RefundFilter }) => {
  const words = useRefundsTexts()
  const { params, query } = useGiven()
  const { data } = useQuery(
    reading("GET /panel/orgs/:organizationId/refunds/sums", { params, query: { ...query, ...filter } })
  )
  if (data === undefined || data.sums.length === 0) return null
  return (
    <section aria-label={words.sums}>
      <dl className={styles["sums"]}>
        {data.sums.map(({ status, count, amount }) => (
          <div key={status}>
            <dt>{`${words.statuses[status]}: ${countText(count)}`}</dt>
            <dd>{tenge(amount)}</dd>
          </div>
        ))}
      </dl>
      {!data.isExact && <p className={styles["text"]}>{words.ofNewest}</p>}
    </section>
  )
}

const All = ({ filter }: { readonly filter: RefundFilter }) => {
  const words = useRefundsTexts()
  const { refunds, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useRefunds(filter)
  return (
    <>
      {error !== null && <Refused failure={error} />}
      {refunds === null && error === null && <Skeleton lines={6} tall />}
      {refunds?.length === 0 && !hasNextPage && !isPlaceholderData && <Card title={words.none} text={words.noneText} />}
      {refunds !== null && (refunds.length > 0 || hasNextPage) && (
        <Card title={words.all}>
          <div className={styles["list"]} aria-busy={isPlaceholderData || undefined}>
            <ul className={styles["refunds"]}>
              {refunds.map((refund) => (
                <RefundRow key={refund.id} refund={refund} />
              ))}
            </ul>
            {hasNextPage && (
              <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
                {words.older}
              </Button>
            )}
            {refunds.length > 0 && <ListFiles list="refunds" filter={filter} />}
          </div>
        </Card>
      )}
    </>
  )
}
