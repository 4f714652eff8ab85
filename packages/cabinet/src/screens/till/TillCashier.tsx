/** Which cashier is charged with, where the person has a choice. */
import { useState } from "react"
import { useHere } from "../../app/Organization.ts"
import { prefer, preferences } from "../../browser/Preferences.ts"
import { SelectField } from "../../parts/Choice.tsx"
import { useWords } from "../../parts/Words.tsx"
import { type Cashier, useCashiers } from "../cashiers/Cashier.ts"

/** What there is to choose from, and what is chosen on this device; null: the server's choice. */
export const useTillCashier = () => {
  const { organizationId, mode } = useHere()
  const all = useCashiers()
  // The sandbox has none, and through those who are out no money comes.
  const able = mode === "live" ? all.filter(({ status }) => status === "active" || status === "expired") : []
  const [chosen, setChosen] = useState(preferences().cashiers?.[organizationId])
  const choose = (id: string) => {
    prefer({ cashiers: { ...preferences().cashiers, [organizationId]: id } })
    setChosen(id)
  }
  const first = able.find(({ isDefault }) => isDefault) ?? able[0]
  const found = able.find(({ id }) => id === chosen) ?? first
  return { able, cashier: able.length > 1 ? (found ?? null) : null, choose }
}

interface TillCashierProps {
  readonly able: ReadonlyArray<Cashier>
  readonly cashier: Cashier
  readonly onChoose: (id: string) => void
}

/** The choice. */
export const TillCashier = ({ able, cashier, onChoose }: TillCashierProps) => {
  const { till, cashiers } = useWords().texts
  return (
    <SelectField
      label={till.cashier}
      value={cashier.id}
      hint={cashier.status === "expired" ? cashiers.expiredText : null}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {able.map(({ id, name, status }) => (
        <option key={id} value={id}>
          {status === "active" ? name : `${name} · ${cashiers.statuses[status]}`}
        </option>
      ))}
    </SelectField>
  )
}
