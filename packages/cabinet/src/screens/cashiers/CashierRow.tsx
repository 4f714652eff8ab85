/** One cashier of the list, with what may be done. */
import { Ellipsis } from "lucide-react"
import type { ReactNode } from "react"
import { maskedText } from "../../login/PhoneText.ts"
import { Button } from "../../parts/Button.tsx"
import menu from "../../parts/Menu.module.css"
import { Menu } from "../../parts/Menu.tsx"
import rows from "../../parts/Rows.module.css"
import { Pill } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { Cashier } from "./Cashier.ts"

interface CashierRowProps {
  readonly cashier: Cashier
  readonly icon: ReactNode
  // Null: the person may not.
  readonly onLogIn: (() => void) | null
  readonly onChange: ((body: { disabled?: boolean; isDefault?: true }) => void) | null
  readonly onRemove: (() => void) | null
}

const tones = { pending: "wait", active: "good", expired: "bad", disabled: "calm" } as const

/** The row. */
export const CashierRow = ({ cashier, icon, onLogIn, onChange, onRemove }: CashierRowProps) => {
  const { texts } = useWords()
  const { cashiers } = texts
  const { status, isDefault } = cashier
  const isOut = status === "pending" || status === "expired"
  const choices = [
    onLogIn !== null && !isOut && { key: "login", text: cashiers.again, onChoose: onLogIn },
    onChange !== null &&
      !isDefault && { key: "default", text: cashiers.makeDefault, onChoose: () => onChange({ isDefault: true }) },
    onChange !== null &&
      (status === "disabled"
        ? { key: "enable", text: cashiers.enable, onChoose: () => onChange({ disabled: false }) }
        : { key: "disable", text: cashiers.disable, onChoose: () => onChange({ disabled: true }) }),
    onRemove !== null && { key: "remove", text: texts.keys.remove, onChoose: onRemove }
  ].filter((choice) => choice !== false)
  return (
    <li>
      {icon}
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          {cashier.name}
          <Pill tone={tones[status]}>{cashiers.statuses[status]}</Pill>
          {isDefault && <Pill tone="back">{cashiers.isDefault}</Pill>}
        </span>
        {cashier.phone !== null && <span className={rows["quiet"]}>{maskedText(cashier.phone)}</span>}
        {status === "expired" && <span className={rows["quiet"]}>{cashiers.expiredText}</span>}
      </span>
      {isOut && onLogIn !== null && (
        <Button isSmall aria-label={`${cashiers.logIn}: ${cashier.name}`} onClick={onLogIn}>
          {cashiers.logIn}
        </Button>
      )}
      {choices.length > 0 && (
        <Menu
          label={`${texts.team.change}: ${cashier.name}`}
          className={menu["wide"]}
          align="end"
          face={<Ellipsis size={20} aria-hidden />}
          rows={choices}
        />
      )}
    </li>
  )
}
