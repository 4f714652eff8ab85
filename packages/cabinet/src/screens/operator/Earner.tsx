/** A referrer: what they have earned, what is still to be paid, and what they were paid. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { day } from "@tolem/http-server/pages/Formats"
import { useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import type { Answer } from "../../api/Contract.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { Field } from "../../parts/Field.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { Act } from "./Act.tsx"
import styles from "./Operator.module.css"
import { useOperatorTexts } from "./Texts.ts"

type Shown = Answer<"GET /panel/operator/earnings/:id">

/** The screen. */
export const Earner = ({ accountId }: { readonly accountId: string }) => {
  const { earnings } = useOperatorTexts()
  const { data, error } = useQuery(reading("GET /panel/operator/earnings/:id", { params: { id: accountId } }))
  const title = data?.account.name ?? data?.account.phone ?? earnings.title
  useTitle(title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{title}</h1>
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && <Sums earner={data} />}
      {data !== undefined && <Unpaid earner={data} />}
      {data !== undefined && <Payouts earner={data} />}
    </div>
  )
}

const Sums = ({ earner: { account, accrued, paidOut, payable } }: { readonly earner: Shown }) => {
  const { earnings } = useOperatorTexts()
  return (
    <Card title={account.phone} text={account.id}>
      <dl className={styles["facts"]}>
        <div>
          <dt>{earnings.unpaid}</dt>
          <dd>{tenge(accrued)}</dd>
        </div>
        <div>
          <dt>{earnings.paid}</dt>
          <dd>{tenge(paidOut)}</dd>
        </div>
      </dl>
      <div className={styles["acts"]}>
        {payable !== null && <Pay key={payable.upTo} accountId={account.id} payable={payable} />}
        <Link to="/operator/people/$accountId" params={{ accountId: account.id }}>
          {earnings.person}
        </Link>
      </div>
    </Card>
  )
}

const Pay = ({
  accountId,
  payable: { amount, count, upTo }
}: {
  readonly accountId: string
  readonly payable: NonNullable<Shown["payable"]>
}) => {
  const { earnings } = useOperatorTexts()
  const queries = useQueryClient()
  const [note, setNote] = useState("")
  const pay = () =>
    askFresh("POST /panel/operator/earnings/:id/payouts", { params: { id: accountId }, body: { amount, upTo, note } })
  return (
    <Act
      name={earnings.pay}
      text={earnings.payText(tenge(amount), count)}
      act={pay}
      told={() => earnings.noted}
      onDone={() => void queries.invalidateQueries()}
    >
      <Field
        label={earnings.note}
        hint={earnings.noteHint}
        autoComplete="off"
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        autoFocus
      />
    </Act>
  )
}

const Unpaid = ({ earner }: { readonly earner: Shown }) => {
  const { earnings } = useOperatorTexts()
  const { language } = useWords()
  if (earner.earnings.length === 0) return <Card title={earnings.nothing} text={earnings.nothingOfOne} />
  return (
    <Card title={earnings.unpaid} text={earnings.oldest}>
      <ul className={rows["rows"]}>
        {earner.earnings.map(({ id, organization, amount, createdAt }) => (
          <li key={id}>
            <span className={rows["words"]}>
              <span className={rows["name"]}>
                <Link to="/operator/merchants/$merchantId" params={{ merchantId: organization.id }}>
                  {organization.name ?? organization.id}
                </Link>
              </span>
              <span className={rows["quiet"]}>
                {day(Date.parse(createdAt), language)} · {id}
              </span>
            </span>
            <strong>{tenge(amount)}</strong>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Payouts = ({ earner: { payouts } }: { readonly earner: Shown }) => {
  const { earnings } = useOperatorTexts()
  const { language } = useWords()
  return (
    <Card title={earnings.payouts} text={payouts.length === 0 ? earnings.noPayouts : null}>
      <ul className={rows["rows"]}>
        {payouts.map(({ id, amount, count, note, paidAt }) => (
          <li key={id}>
            <span className={rows["words"]}>
              <span className={rows["name"]}>{note}</span>
              <span className={rows["quiet"]}>
                {day(Date.parse(paidAt), language)} · {earnings.count(count)}
              </span>
            </span>
            <strong>{tenge(amount)}</strong>
          </li>
        ))}
      </ul>
    </Card>
  )
}
