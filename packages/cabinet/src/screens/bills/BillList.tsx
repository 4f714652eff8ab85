/** What was ordered of tariffs, newest first. */
import { day } from "@tolem/http-server/pages/Formats"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Status } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import { type Bill, isPayable, useBills, useEffects } from "./Bill.ts"
import styles from "./Bills.module.css"
import { useBillsTexts } from "./Texts.ts"

interface BillListProps {
  /** What tariffs are called, by their codes. */
  readonly names: ReadonlyMap<string, string>
}

/** The list. */
export const BillList = ({ names }: BillListProps) => {
  const words = useBillsTexts()
  const { bills, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useBills()
  useEffects(bills)
  return (
    <Card title={words.bills}>
      {error !== null && <Refused failure={error} />}
      {bills === null && error === null && <Skeleton lines={3} />}
      {bills?.length === 0 && (
        <p className={styles["text"]}>
          {words.none}. {words.noneText}
        </p>
      )}
      {bills !== null && bills.length > 0 && (
        <ul className={styles["bills"]}>
          {bills.map((bill) => (
            <Row key={bill.id} bill={bill} name={names.get(bill.tariff) ?? bill.tariff} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {words.older}
        </Button>
      )}
    </Card>
  )
}

const Row = ({ bill, name }: { readonly bill: Bill; readonly name: string }) => {
  const words = useBillsTexts()
  const { language } = useWords()
  const { invoice, appliedAt } = bill
  return (
    <li>
      <strong>{name}</strong>
      <span>{tenge(bill.amount)}</span>
      <small>
        <time dateTime={bill.createdAt}>{day(Date.parse(bill.createdAt), language)}</time>
        {appliedAt !== null && ` · ${words.applied(day(Date.parse(appliedAt), language))}`}
      </small>
      <span className={styles["state"]}>
        {invoice !== null && <Status status={invoice.status} />}
        {invoice !== null && isPayable(bill) && (
          <a href={invoice.payUrl} target="_blank" rel="noopener">
            {words.payNow}
          </a>
        )}
        {typeof invoice?.receiptUrl === "string" && (
          <a href={invoice.receiptUrl} target="_blank" rel="noopener">
            {words.receipt}
          </a>
        )}
      </span>
    </li>
  )
}
