/** A bill that is to be paid: its code, the way to its pay page, and what became of it. */
import { useEffect, useRef } from "react"
import { useForget } from "../../app/Places.ts"
import { serverPath } from "../../browser/Place.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { isInForce, type Sale, useAwaitedBill } from "./Bill.ts"
import styles from "./Billing.module.css"
import { useBillingTexts } from "./Texts.ts"

interface PayDialogProps {
  readonly sale: Sale
  readonly name: string
  readonly isBusy: boolean
  readonly onAgain: () => void
  readonly onClose: () => void
}

/** The dialog. It goes on by itself when the bill is paid. */
export const PayDialog = ({ sale, name, isBusy, onAgain, onClose }: PayDialogProps) => {
  const words = useBillingTexts()
  const { texts } = useWords()
  const forget = useForget()
  const bill = useAwaitedBill(sale)
  const status = bill?.invoice?.status ?? sale.invoice.status
  const isOpen = status === "new" || status === "pending"
  const isDone = isInForce(bill)
  const told = useRef(forget)
  told.current = forget
  // The tariff stands on other screens as well.
  useEffect(() => {
    if (isDone) void told.current("GET /panel/orgs/:organizationId")
  }, [isDone])
  const said = isDone
    ? words.started(name)
    : isOpen
      ? words.waiting
      : status === "paid"
        ? words.paid
        : words.ended
  return (
    <Dialog
      title={words.payTitle(name, tenge(sale.amount))}
      text={isOpen && !isDone ? words.payText : null}
      onClose={onClose}
    >
      <div className={styles["pay"]}>
        {isOpen && !isDone && sale.invoice.qrImageUrl !== null && (
          <img
            src={`${serverPath}/pay/${sale.invoice.id}/qr.svg`}
            width="240"
            height="240"
            alt={texts.invoice.qr}
          />
        )}
        <p role="status">{said}</p>
        {isOpen && !isDone && (
          <a href={sale.invoice.payUrl} target="_blank" rel="noopener">
            {words.payPage}
          </a>
        )}
        {!isOpen && !isDone && status !== "paid" && (
          <Button isBusy={isBusy} onClick={onAgain}>
            {words.again}
          </Button>
        )}
        {isDone && <Button onClick={onClose}>{words.done}</Button>}
      </div>
    </Dialog>
  )
}
