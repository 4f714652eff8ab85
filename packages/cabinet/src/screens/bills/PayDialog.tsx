/** A bill that is to be paid: its code, the way to its pay page, and what became of it. */
import { serverPath } from "../../browser/Place.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { isPayable, type Sale, useBills } from "./Bill.ts"
import styles from "./Bills.module.css"
import { useBillsTexts } from "./Texts.ts"

interface PayDialogProps {
  readonly sale: Sale
  readonly name: string
  readonly isBusy: boolean
  readonly onAgain: () => void
  readonly onClose: () => void
}

/** The dialog. It goes on by itself when the bill is paid. */
export const PayDialog = ({ sale, name, isBusy, onAgain, onClose }: PayDialogProps) => {
  const words = useBillsTexts()
  const { invoice } = useWords().texts
  // Of an order that has just been made the list may not know yet.
  const bill = useBills().bills?.find(({ id }) => id === sale.id)
  const isDone = bill !== undefined && bill.appliedAt !== null
  const isOpen = !isDone && isPayable(bill ?? sale)
  const isPaid = !isDone && bill?.invoice?.status === "paid"
  const isOver = !isDone && !isOpen && !isPaid
  return (
    <Dialog title={words.payTitle(name, tenge(sale.amount))} text={isOpen ? words.payText : null} onClose={onClose}>
      <div className={styles["pay"]}>
        {isOpen && (
          <img src={`${serverPath}/pay/${sale.invoice.id}/qr.svg`} width="240" height="240" alt={invoice.qr} />
        )}
        <p role="status">
          {isDone && words.started(name)}
          {isOpen && words.waiting}
          {isPaid && words.paid}
          {isOver && words.ended}
        </p>
        {isOpen && (
          <a className={styles["open"]} href={sale.invoice.payUrl} target="_blank" rel="noopener">
            {words.payPage}
          </a>
        )}
        {isOver && (
          <Button isBusy={isBusy} onClick={onAgain}>
            {words.again}
          </Button>
        )}
        {isDone && <Button onClick={onClose}>{words.done}</Button>}
      </div>
    </Dialog>
  )
}
