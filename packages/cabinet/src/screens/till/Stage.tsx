/** One payment over the whole screen: its code for the customer, and what becomes of it as it happens. */
import { useMutation } from "@tanstack/react-query"
import { minute } from "@tolem/http-server/pages/Formats"
import { Check, X } from "lucide-react"
import { type ReactNode, useEffect, useRef } from "react"
import { serverPath } from "../../browser/Place.ts"
import { preferences } from "../../browser/Preferences.ts"
import { playPaid, readySound } from "../../browser/Sound.ts"
import { countdown } from "../../login/PhoneText.ts"
import { Button } from "../../parts/Button.tsx"
import { showModal } from "../../parts/Modal.ts"
import { tenge } from "../../parts/MoneyWords.ts"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Share } from "../../parts/Share.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import { type InvoiceFacts, useCreation } from "./Creation.ts"
import { isOpen, mayPayLate, useLiveInvoice, useReadNow } from "./LiveInvoice.ts"
import styles from "./Stage.module.css"
import { StageActions } from "./StageActions.tsx"
import { useTillCashier } from "./TillCashier.tsx"

interface StageProps {
  readonly id: string
  /** Goes back to the till. The payment stays as it is. */
  readonly onClose: () => void
  /** Shows the payment that is made in place of this one, which is watched on. */
  readonly onShow: (id: string) => void
  /** What is told of other payments meanwhile. */
  readonly children?: ReactNode
}

/** Lets a payment be heard, unless that is switched off here. */
export const hear = (): void => {
  if (preferences().silent !== true) playPaid()
}

/** The stage. */
export const Stage = ({ id, onClose, onShow, children }: StageProps) => {
  const { texts } = useWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const { data, error } = useLiveInvoice(id, hear, true)
  useEffect(() => {
    const element = dialog.current
    showModal(element)
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
        // React tells here too of a dialog that is shown in this one.
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <button type="button" className={styles["close"]} aria-label={texts.common.close} onClick={onClose}>
        <X size={24} aria-hidden />
      </button>
      <div>{children}</div>
      {data === undefined && (error === null ? <Skeleton lines={3} tall /> : <Refused failure={error} />)}
      {data !== undefined && isOpen(data) && <Offer invoice={data} />}
      {data !== undefined && !isOpen(data) && <Outcome invoice={data} onClose={onClose} onShow={onShow} />}
    </dialog>
  )
}

interface OfferProps {
  readonly invoice: InvoiceFacts
}

const Offer = ({ invoice }: OfferProps) => {
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
      <StageActions invoice={invoice} />
    </div>
  )
}

/** That money may still come of a payment that has ended. */
const Remaining = ({ invoice }: OfferProps) => {
  const { till } = useWords().texts
  // The same as `stillPayableUntil` of the answer to the cancel, while it lies ahead.
  const until = invoice.kind === "qr" && invoice.expiresAt !== null ? Date.parse(invoice.expiresAt) : 0
  const isPayable = until > useNow(1000) && invoice.status === "cancelled"
  return <p className={styles["remaining"]}>{isPayable ? till.payableUntil(minute(until)) : till.mayArrive}</p>
}

/** Charges the same again, unless the server then knows that it was paid after all. */
const useRepetition = (invoice: InvoiceFacts, onShow: (id: string) => void) => {
  const readNow = useReadNow(invoice.id)
  const { cashier } = useTillCashier()
  const creation = useCreation(onShow)
  return useMutation({
    mutationFn: async () => {
      readySound()
      const { amount, description, kind, customer, ...found } = await readNow()
      if (!mayCharge(found)) return
      await creation.mutateAsync({
        amount,
        description,
        kind,
        phone: kind === "phone" ? (customer?.phone ?? null) : null,
        connectionId: cashier?.id ?? null
      })
    }
  })
}

const mayCharge = ({ status }: Pick<InvoiceFacts, "status">) => mayPayLate({ status }) || status === "failed"

const Outcome = ({ invoice, onClose, onShow }: OfferProps & Omit<StageProps, "id" | "children">) => {
  const { texts } = useWords()
  const { till } = texts
  const again = useRepetition(invoice, onShow)
  const isGood = invoice.status === "paid"
  return (
    <div className={styles["outcome"]} data-good={isGood || undefined}>
      <span className={styles["mark"]}>{isGood ? <Check size={72} aria-hidden /> : <X size={72} aria-hidden />}</span>
      <p className={styles["say"]} role="status">
        {texts.statuses[invoice.status]}
      </p>
      <p className={styles["amount"]}>{tenge(invoice.amount)}</p>
      {invoice.description !== null && <p>{invoice.description}</p>}
      {mayPayLate(invoice) && <Remaining invoice={invoice} />}
      {again.error !== null && <Refused failure={again.error} />}
      <Button className={styles["next"]} onClick={onClose} autoFocus>
        {till.next}
      </Button>
      {mayCharge(invoice) && (
        <Button look="plain" isBusy={again.isPending} onClick={() => again.mutate()}>
          {till.again}
        </Button>
      )}
    </div>
  )
}
