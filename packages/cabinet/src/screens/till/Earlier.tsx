/** Payments that were charged again: each is watched on, for it may be paid after all. */
import { Link } from "@tanstack/react-router"
import { CircleAlert, X } from "lucide-react"
import { useState } from "react"
import { useHere } from "../../app/Organization.ts"
import { tenge } from "../../parts/MoneyWords.ts"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Earlier.module.css"
import { useLiveInvoice } from "./LiveInvoice.ts"

interface EarlierProps {
  readonly ids: ReadonlyArray<string>
  /** One is paid, and the person is told. */
  readonly onPaid: () => void
}

/** The notes; nothing as long as none of them is paid. */
export const Earlier = ({ ids, onPaid }: EarlierProps) => (
  <div role="status">
    {ids.map((id) => (
      <Note key={id} id={id} onPaid={onPaid} />
    ))}
  </div>
)

const Note = ({ id, onPaid }: { readonly id: string; readonly onPaid: () => void }) => {
  const { texts } = useWords()
  const { organizationId } = useHere()
  const { data } = useLiveInvoice(id, onPaid, true)
  const [isSeen, setSeen] = useState(false)
  if (data?.status !== "paid" || isSeen) return null
  return (
    <div className={styles["note"]}>
      <CircleAlert size={22} aria-hidden />
      <p>
        <strong>{texts.till.earlierPaid(tenge(data.amount))}</strong>
        <span>{texts.till.earlierText}</span>
        <Link
          to="/$organizationId/invoices/$invoiceId"
          params={{ organizationId, invoiceId: id }}
          search={({ mode }) => (mode === undefined ? {} : { mode })}
        >
          {texts.till.earlierShow}
        </Link>
      </p>
      <button type="button" aria-label={texts.common.close} onClick={() => setSeen(true)}>
        <X size={20} aria-hidden />
      </button>
    </div>
  )
}
