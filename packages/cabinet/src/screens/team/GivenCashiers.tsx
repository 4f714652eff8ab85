/** Which cashiers a member works with. */
import { CheckField } from "../../parts/Choice.tsx"
import rows from "../../parts/Rows.module.css"
import { useWords } from "../../parts/Words.tsx"
import { useCashiers } from "../cashiers/Cashier.ts"

interface GivenCashiersProps {
  /** Their ids. */
  readonly given: ReadonlyArray<string>
  readonly onChange: (given: ReadonlyArray<string>) => void
}

/** The choice; nothing while the organization has no cashiers. */
export const GivenCashiers = ({ given, onChange }: GivenCashiersProps) => {
  const { team, cashiers } = useWords().texts
  const all = useCashiers()
  if (all.length === 0) return null
  // One that was removed meanwhile is not sent again.
  const kept = given.filter((id) => all.some((each) => each.id === id))
  return (
    <fieldset className={rows["choices"]}>
      <legend>{team.cashiers}</legend>
      <p className={rows["quiet"]}>{team.cashiersHint}</p>
      {all.map(({ id, name, status }) => (
        <CheckField
          key={id}
          label={name}
          hint={cashiers.statuses[status]}
          checked={kept.includes(id)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...kept, id] : kept.filter((each) => each !== id))
          }
        />
      ))}
    </fieldset>
  )
}
