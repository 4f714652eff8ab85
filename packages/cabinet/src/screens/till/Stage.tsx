/** One payment over the whole screen: its code for the customer, and what becomes of it as it happens. */
import { Check, X } from "lucide-react"
import { useEffect, useRef } from "react"
import { serverPath } from "../../browser/Place.ts"
import { preferences } from "../../browser/Preferences.ts"
import { playPaid } from "../../browser/Sound.ts"
import { countdown } from "../../login/PhoneText.ts"
import { Button } from "../../parts/Button.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Share } from "../../parts/Share.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import { type InvoiceFacts, useCreation } from "./Creation.ts"
import { isOpen, useLiveInvoice } from "./LiveInvoice.ts"
import styles from "./Stage.module.css"
import { StageActions } from "./StageActions.tsx"

interface StageProps {
  readonly id: string
  /** Goes back to the till. The payment stays as it is. */
  readonly onClose: () => void
  /** Shows another payment. */
  readonly onShow: (id: string) => void
}

const hear = (): void => {
  if (preferences().silent !== true) playPaid()
}

/** The stage. */
export const Stage = ({ id, onClose, onShow }: StageProps) => {
  const { texts } = useWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const { data, error } = useLiveInvoice(id, hear)
  useEffect(() => {
    const element = dialog.current
    if (element?.open === false) element.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles["stage"]}
      data-status={data?.status}
      aria-label={data === undefined ? texts.till.title : `${texts.till.title}: ${tenge(data.amount)}`}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <button type="button" className={styles["close"]} aria-label={texts.common.close} onClick={onClose}>
        <X size={24} aria-hidden />
      </button>
      {data === undefined && (error === null ? <Skeleton lines={3} tall /> : <Refused failure={error} />)}
      {data !== undefined && isOpen(data) && <Offer invoice={data} onClose={onClose} />}
      {data !== undefined && !isOpen(data) && <Outcome invoice={data} onClose={onClose} onShow={onShow} />}
    </dialog>
  )
}

interface OfferProps {
  readonly invoice: InvoiceFacts
  readonly onClose: () => void
}

const Offer = ({ invoice, onClose }: OfferProps) => {
  const { texts } = useWords()
  const { till } = texts
  const hasCode = invoice.kind === "qr" && (invoice.qrUrl !== null || invoice.deepLink !== null)
  const isPushed = invoice.kind === "phone" && invoice.status === "pending"
  const until = invoice.expiresAt === null ? 0 : Date.parse(invoice.expiresAt)
  const left = countdown(until, useNow(1000))
  return (
    <div className={styles["offer"]}>
      <p className={styles["amount"]}>{tenge(invoice.amount)}</p>
      {hasCode && (
        <img
          className={styles["code"]}
          src={`${serverPath}/pay/${invoice.id}/qr.svg`}
          width="320"
          height="320"
          alt={texts.invoice.qr}
        />
      )}
      {!hasCode && !isPushed && <div className={styles["code"]} data-empty />}
      <p className={styles["say"]} role="status">
        {hasCode ? till.scan : isPushed ? till.pushed : till.preparing}
        {left !== null && <time>{left}</time>}
      </p>
      <div className={styles["actions"]}>
        <Share url={invoice.payUrl} copyText={till.link} shareText={till.share} />
      </div>
      <StageActions invoice={invoice} onCancelled={onClose} />
    </div>
  )
}

const Outcome = ({ invoice, onClose, onShow }: OfferProps & Pick<StageProps, "onShow">) => {
  const { texts } = useWords()
  const { till } = texts
  const again = useCreation(onShow)
  const isGood = invoice.status === "paid"
  const repeat = () => {
    const { amount, description, kind, customer } = invoice
    again.mutate({ amount, description, kind, phone: kind === "phone" ? (customer?.phone ?? null) : null })
  }
  return (
    <div className={styles["outcome"]} data-good={isGood || undefined}>
      <span className={styles["mark"]}>{isGood ? <Check size={72} aria-hidden /> : <X size={72} aria-hidden />}</span>
      <p className={styles["say"]} role="status">
        {texts.statuses[invoice.status]}
      </p>
      <p className={styles["amount"]}>{tenge(invoice.amount)}</p>
      {invoice.description !== null && <p>{invoice.description}</p>}
      {again.error !== null && <Refused failure={again.error} />}
      <Button className={styles["next"]} onClick={onClose} autoFocus>
        {till.next}
      </Button>
      {!isGood && (
        <Button look="plain" isBusy={again.isPending} onClick={repeat}>
          {till.again}
        </Button>
      )}
    </div>
  )
}
