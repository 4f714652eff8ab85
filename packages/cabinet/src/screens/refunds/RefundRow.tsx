/** A refund in a list, with the way to its invoice. */
import { Link } from "@tanstack/react-router"
import { instant } from "@tolem/http-server/pages/Formats"
import type { ReactNode } from "react"
import { useHere } from "../../app/Organization.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { Pill } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { ListedRefund } from "./Refund.ts"
import styles from "./Refunds.module.css"
import { useRefundsTexts } from "./Texts.ts"

const tones = { succeeded: "back", failed: "calm", unknown: "bad", pending: "wait" } as const

interface RefundRowProps {
  readonly refund: ListedRefund
  /** What else is to be said of it, and done about it. */
  readonly facts?: ReadonlyArray<string>
  readonly children?: ReactNode
}

/** The row. */
export const RefundRow = ({ refund, facts = [], children }: RefundRowProps) => {
  const words = useRefundsTexts()
  const { language } = useWords()
  const { organizationId } = useHere()
  const { amount, createdAt, description, externalOrderId, invoiceId, providerReference, reason, status } = refund
  const order = externalOrderId === null ? null : words.order(externalOrderId)
  const what = [description, order, reason].filter(Boolean).join(" · ")
  const number = providerReference === null ? null : words.number(providerReference)
  return (
    <li>
      <div className={styles["refund"]}>
        <strong>{tenge(amount)}</strong>
        {what !== "" && <span>{what}</span>}
        <small>{[instant(Date.parse(createdAt), language), number, ...facts].filter(Boolean).join(" · ")}</small>
      </div>
      <Pill tone={tones[status]}>{words.statuses[status]}</Pill>
      <div className={styles["actions"]}>
        <Link to="/$organizationId/invoices/$invoiceId" params={{ organizationId, invoiceId }} search={modeAlone}>
          {words.toInvoice}
        </Link>
        {children}
      </div>
    </li>
  )
}
