/** What an invoice is. */
import { instant } from "@tolem/http-server/pages/Formats"
import type { ReactNode } from "react"
import { phoneDigits, phoneText } from "../../login/PhoneText.ts"
import { Card } from "../../parts/Card.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { InvoiceFacts } from "../till/Creation.ts"
import { isOpen } from "../till/LiveInvoice.ts"
import styles from "./Invoice.module.css"

/** The facts. */
export const Facts = ({ invoice }: { readonly invoice: InvoiceFacts }) => {
  const { texts, language } = useWords()
  const { invoice: words } = texts
  const told = (at: string | null) => (at === null ? null : instant(Date.parse(at), language))
  const { customer } = invoice
  const phone = customer?.phone ?? null
  return (
    <Card title={words.facts}>
      <dl className={styles["facts"]}>
        <Row name={words.made} value={told(invoice.createdAt)} />
        <Row name={words.paidAt} value={told(invoice.paidAt)} />
        <Row name={words.until} value={isOpen(invoice) ? told(invoice.expiresAt) : null} />
        <Row name={words.kind} value={words.kinds[invoice.kind]} />
        <Row name={words.order} value={invoice.externalOrderId} />
        <Row name={words.customer} value={customer?.name ?? null} />
        <Row name={texts.login.phone} value={phone === null ? null : `+7 ${phoneText(phoneDigits(phone))}`} />
        <Row name="E-mail" value={customer?.email ?? null} />
        <Row
          name={words.receipt}
          value={
            invoice.receiptUrl === null ? (
              invoice.receiptNumber
            ) : (
              <a href={invoice.receiptUrl} target="_blank" rel="noreferrer">
                {invoice.receiptNumber ?? words.receipt}
              </a>
            )
          }
        />
        <Row name={words.number} value={<code>{invoice.id}</code>} />
      </dl>
    </Card>
  )
}

const Row = ({ name, value }: { readonly name: string; readonly value: ReactNode }) =>
  value === null ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
