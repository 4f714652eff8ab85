/** A look at one invoice, for a reason that its owner reads. What is shown is gone when the screen is left. */
import { useMutation } from "@tanstack/react-query"
import { minute } from "@tolem/http-server/pages/Formats"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import type { Answer } from "../../api/Contract.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { AreaField, Field } from "../../parts/Field.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Status } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useSearched } from "./Lists.tsx"
import styles from "./Operator.module.css"
import { useOperatorTexts } from "./Texts.ts"

type Shown = Answer<"POST /panel/operator/looks">

/** The screen. */
export const Look = () => {
  const { looks } = useOperatorTexts()
  const [invoiceId, setInvoiceId] = useState(useSearched())
  const [reason, setReason] = useState("")
  const looking = useMutation({
    mutationFn: () => askFresh("POST /panel/operator/looks", { body: { invoiceId: invoiceId.trim(), reason } })
  })
  useTitle(looks.title)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    looking.mutate()
  }
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{looks.title}</h1>
      </header>
      <Card title={looks.one} text={looks.text}>
        <form onSubmit={submit} noValidate className={styles["form"]}>
          <Field
            label={looks.invoice}
            autoComplete="off"
            value={invoiceId}
            onChange={({ currentTarget }) => setInvoiceId(currentTarget.value)}
          />
          <AreaField
            label={looks.reason}
            hint={looks.reasonHint}
            rows={3}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          {looking.error !== null && <Refused failure={looking.error} />}
          <Button type="submit" isBusy={looking.isPending}>
            {looks.look}
          </Button>
        </form>
      </Card>
      {looking.data !== undefined && <Invoice invoice={looking.data} />}
    </div>
  )
}

const Invoice = ({ invoice }: { readonly invoice: Shown }) => {
  const { looks } = useOperatorTexts()
  const { id, amount, status, description, customer, createdAt } = invoice
  const facts = [
    [looks.amount, tenge(amount)],
    [looks.description, description],
    [looks.customer, [customer?.name, customer?.phone, customer?.email].filter(Boolean).join(" · ")],
    [looks.made, `${createdAt.slice(0, 10)} ${minute(Date.parse(createdAt))}`]
  ] as const
  return (
    <Card title={id} action={<Status status={status} />}>
      <dl className={styles["facts"]}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null || value === "" ? "–" : value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
