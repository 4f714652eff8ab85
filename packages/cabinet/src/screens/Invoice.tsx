/** One invoice: what it is, what has happened to it, and what may be done with it. */
import { Link, useParams } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { useHere } from "../app/Organization.ts"
import { modeAlone } from "../app/Sections.tsx"
import { serverPath } from "../browser/Place.ts"
import { Card } from "../parts/Card.tsx"
import { tenge } from "../parts/MoneyWords.ts"
import { Refused } from "../parts/Refused.tsx"
import { Skeleton } from "../parts/Skeleton.tsx"
import { Status } from "../parts/Status.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { Actions } from "./invoice/Actions.tsx"
import { Deliveries } from "./invoice/Deliveries.tsx"
import { Facts } from "./invoice/Facts.tsx"
import { History } from "./invoice/History.tsx"
import styles from "./invoice/Invoice.module.css"
import { InvoiceRefunds } from "./invoice/InvoiceRefunds.tsx"
import { Letters } from "./invoice/Letters.tsx"
import { Simulation } from "./invoice/Simulation.tsx"
import type { InvoiceFacts } from "./till/Creation.ts"
import { isOpen, useLiveInvoice } from "./till/LiveInvoice.ts"

/** The screen. It changes as its invoice does. */
export const Invoice = () => {
  const { texts } = useWords()
  const { organizationId } = useHere()
  const { invoiceId = "" } = useParams({ strict: false })
  const { data, error } = useLiveInvoice(invoiceId)
  useTitle(data === undefined ? texts.invoices.title : texts.invoice.title(tenge(data.amount)))
  return (
    <div className={styles["screen"]}>
      <Link
        className={styles["back"] ?? ""}
        to="/$organizationId/invoices"
        params={{ organizationId }}
        search={modeAlone}
      >
        <ArrowLeft size={18} aria-hidden />
        {texts.invoice.back}
      </Link>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && <Content invoice={data} />}
    </div>
  )
}

const Content = ({ invoice }: { readonly invoice: InvoiceFacts }) => {
  const { texts } = useWords()
  const hasCode = isOpen(invoice) && invoice.kind === "qr" && (invoice.qrUrl !== null || invoice.deepLink !== null)
  return (
    <>
      <header className={styles["head"]}>
        <h1 aria-label={texts.invoice.title(tenge(invoice.amount))}>{tenge(invoice.amount)}</h1>
        <Status status={invoice.status} />
        {invoice.description !== null && <p>{invoice.description}</p>}
      </header>
      <Actions invoice={invoice} />
      <div className={styles["columns"]}>
        <div className={styles["column"]}>
          <Facts invoice={invoice} />
          <InvoiceRefunds refunds={invoice.refunds} />
          <Letters invoice={invoice} />
          <Deliveries invoice={invoice} />
        </div>
        <div className={styles["column"]}>
          {hasCode && (
            <Card title={texts.till.scan}>
              <img
                className={styles["code"]}
                src={`${serverPath}/pay/${invoice.id}/qr.svg`}
                width="240"
                height="240"
                alt={texts.invoice.qr}
              />
            </Card>
          )}
          <Simulation invoice={invoice} />
          <History events={invoice.events} />
        </div>
      </div>
    </>
  )
}
