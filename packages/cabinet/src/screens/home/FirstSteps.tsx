/** The way to the first payment, for as long as an organization is not at work. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Check } from "lucide-react"
import { type ReactNode, useState } from "react"
import { type Organization, useHere } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { reading } from "../../app/Queries.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "./FirstSteps.module.css"

const LiveDialog = loadedPart(() => import("../../app/LiveDialog.tsx").then(({ LiveDialog }) => LiveDialog))

/** The three steps; nothing once all are done, or for who may not take them. */
export const FirstSteps = ({ organization }: { readonly organization: Organization }) => {
  const { texts } = useWords()
  const { start } = texts
  const { organizationId, mode } = useHere()
  const may = useMay()
  const sandbox = (more: object) =>
    reading("GET /panel/orgs/:organizationId/invoices", {
      params: { organizationId },
      query: { mode: "sandbox", limit: 1, ...more }
    })
  const [isLive, setLive] = useState(false)
  const isWanted = organization.mode === "sandbox" && mode === "sandbox" && may("invoices:create") !== null
  const { data: all } = useQuery({ ...sandbox({}), enabled: isWanted })
  const { data: paid } = useQuery({ ...sandbox({ status: "paid,refunded,partially_refunded" }), enabled: isWanted })
  if (!isWanted || all === undefined || paid === undefined) return null
  const done = [all.invoices.length > 0, paid.invoices.length > 0, false]
  const next = done.indexOf(false)
  const open = all.invoices[0]
  const toTill = (
    <Link className={styles["go"] ?? ""} to="/$organizationId/charge" params={{ organizationId }}>
      {start.charge}
    </Link>
  )
  const toPayment =
    open === undefined ? null : (
      <Link
        className={styles["go"] ?? ""}
        to="/$organizationId/charge"
        params={{ organizationId }}
        search={{ invoice: open.id }}
      >
        {start.pay}
      </Link>
    )
  return (
    <Card title={start.steps} text={start.stepsText}>
      <ol className={styles["steps"]}>
        <Step number={1} isDone={done[0] === true} isNext={next === 0} name={start.charge} text={start.chargeText}>
          {toTill}
        </Step>
        <Step number={2} isDone={done[1] === true} isNext={next === 1} name={start.pay} text={start.payText}>
          {toPayment}
        </Step>
        <Step number={3} isDone={false} isNext={next === 2} name={start.live} text={start.liveText}>
          {may("mode:switch") !== null && <Button onClick={() => setLive(true)}>{texts.mode.toLive}</Button>}
        </Step>
      </ol>
      {isLive && <LiveDialog onClose={() => setLive(false)} />}
    </Card>
  )
}

interface StepProps {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly isDone: boolean
  readonly isNext: boolean
  readonly children?: ReactNode
}

const Step = ({ number, name, text, isDone, isNext, children }: StepProps) => {
  const { texts } = useWords()
  return (
    <li data-done={isDone || undefined} data-next={isNext || undefined}>
      <span className={styles["number"]}>
        {isDone ? <Check size={20} role="img" aria-label={texts.start.done} /> : number}
      </span>
      <span className={styles["words"]}>
        <strong>{name}</strong>
        <span>{text}</span>
      </span>
      {isNext && children}
    </li>
  )
}
