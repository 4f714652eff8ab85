/** What was ordered of tariffs, newest first. */
import { day } from "@tolem/http-server/pages/Formats"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Status } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import { type Bill, useBills } from "./Bill.ts"
import styles from "./Billing.module.css"
import { useBillingTexts } from "./Texts.ts"

interface BillsProps {
  /** What tariffs are called, by their codes. */
  readonly names: ReadonlyMap<string, string>
}

/** The list. */
export const Bills = ({ names }: BillsProps) => {
  const words = useBillingTexts()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useBills()
  const bills = data?.pages.flatMap((page) => page.bills)
  return (
    <Card title={words.bills}>
      {error !== null && <Refused failure={error} />}
      {bills === undefined && error === null && <Skeleton lines={3} />}
      {bills?.length === 0 && (
        <p className={styles["text"]}>
          {words.none}. {words.noneText}
        </p>
      )}
      {bills !== undefined && bills.length > 0 && (
        <ul className={styles["bills"]}>
          {bills.map((bill) => (
            <Row key={bill.id} bill={bill} name={names.get(bill.tariff) ?? bill.tariff} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button look="plain" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.older}
        </Button>
      )}
    </Card>
  )
}

const Row = ({ bill, name }: { readonly bill: Bill; readonly name: string }) => {
  const words = useBillingTexts()
  const { language } = useWords()
  const { invoice, appliedAt } = bill
  const isOpen = invoice?.status === "new" || invoice?.status === "pending"
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
        {isOpen && (
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
