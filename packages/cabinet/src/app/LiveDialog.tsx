/** From the sandbox into work: what should be there before, and the switch. */
import { useQuery } from "@tanstack/react-query"
import { Check, Circle } from "lucide-react"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Refused } from "../parts/Refused.tsx"
import { useWords } from "../parts/Words.tsx"
import styles from "./LiveDialog.module.css"
import { useModeSwitch } from "./ModeSwitch.ts"
import { useHere, useOrganization } from "./Organization.ts"
import { reading } from "./Queries.ts"

/** The dialog. */
export const LiveDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { texts } = useWords()
  const { mode } = texts
  const { organizationId } = useHere()
  const { data: organization } = useOrganization()
  const given = { params: { organizationId }, query: { mode: "sandbox", status: "paid", limit: 1 } }
  const { data: paid } = useQuery(reading("GET /panel/orgs/:organizationId/invoices", given))
  const cashiers = useQuery(
    reading("GET /panel/orgs/:organizationId/connections", { params: { organizationId }, query: {} })
  )
  const change = useModeSwitch(onClose)
  return (
    <Dialog title={mode.title} text={mode.about} onClose={onClose}>
      <ul className={styles["checks"]}>
        <Row text={mode.checks.paid} isDone={paid !== undefined && paid.invoices.length > 0} />
        <Row text={mode.checks.tariff} isDone={organization?.tariff.active === true} />
        <Row
          text={mode.checks.cashier}
          hint={mode.cashierText}
          isDone={cashiers.data?.connections.some(({ status }) => status === "active") === true}
        />
      </ul>
      {change.error !== null && <Refused failure={change.error} />}
      <Button isBusy={change.isPending} onClick={() => change.mutate("live")}>
        {mode.go}
      </Button>
    </Dialog>
  )
}

interface RowProps {
  readonly text: string
  readonly hint?: string
  readonly isDone: boolean
}

const Row = ({ text, hint, isDone }: RowProps) => {
  const { texts } = useWords()
  return (
    <li data-done={isDone || undefined}>
      {isDone ? <Check size={22} aria-label={texts.start.done} /> : <Circle size={22} aria-hidden />}
      <span>
        {text}
        {hint !== undefined && !isDone && <small>{hint}</small>}
      </span>
    </li>
  )
}
