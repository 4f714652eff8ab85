/** What a member is given: a role, and as a cashier, what they work with and how much they may give back. */
import { amountOf, amountText, faultOf } from "../../parts/AmountText.ts"
import { CheckField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import rows from "../../parts/Rows.module.css"
import { useWords } from "../../parts/Words.tsx"
import { GivenCashiers } from "./GivenCashiers.tsx"

const roles = ["manager", "accountant", "cashier", "developer"] as const
/** What a person can be made besides the owner. */
export type GivenRole = (typeof roles)[number]

/** Terms as they are typed. */
export interface TermsDraft {
  readonly role: GivenRole
  /** Ids of cashiers. */
  readonly given: ReadonlyArray<string>
  readonly mayRefund: boolean
  /** Up to which sum, as it is typed. */
  readonly limit: string
}

/** Whether a sum has yet to be typed. */
export const isLimitMissing = ({ role, mayRefund, limit }: TermsDraft): boolean =>
  role === "cashier" && mayRefund && amountOf(limit) === null

/** The limit that the server is told. */
export const limitOf = ({ mayRefund, limit }: TermsDraft): number | null => (mayRefund ? amountOf(limit) : null)

/** Puts the caret where the sum is missing. */
export const toLimit = (form: HTMLFormElement): void =>
  form.querySelector<HTMLInputElement>('[inputmode="decimal"]')?.focus()

interface TermsFieldsProps {
  readonly draft: TermsDraft
  readonly onChange: (changed: Partial<TermsDraft>) => void
  /** Whether what is missing is told: the form was sent. */
  readonly isTold: boolean
}

/** The fields. */
export const TermsFields = ({ draft, onChange, isTold }: TermsFieldsProps) => {
  const { texts } = useWords()
  const { team } = texts
  const { role, given, mayRefund, limit } = draft
  const fault = faultOf(limit)
  const missing = isLimitMissing(draft) && isTold ? team.limitMissing : null
  return (
    <>
      <RoleChoice role={role} onChange={(chosen) => onChange({ role: chosen })} />
      {role === "cashier" && <GivenCashiers given={given} onChange={(chosen) => onChange({ given: chosen })} />}
      {role === "cashier" && (
        <CheckField
          label={team.mayRefund}
          checked={mayRefund}
          onChange={({ currentTarget }) => onChange({ mayRefund: currentTarget.checked })}
        />
      )}
      {role === "cashier" && mayRefund && (
        <Field
          label={team.refundLimit}
          inputMode="decimal"
          autoComplete="off"
          value={limit}
          wrong={fault !== null ? texts.common.amountFaults[fault] : missing}
          onChange={({ currentTarget }) => onChange({ limit: amountText(currentTarget.value) })}
        />
      )}
    </>
  )
}

interface RoleChoiceProps {
  readonly role: GivenRole
  readonly onChange: (role: GivenRole) => void
}

const RoleChoice = ({ role, onChange }: RoleChoiceProps) => {
  const { team, profile } = useWords().texts
  return (
    <fieldset className={rows["choices"]}>
      <legend>{team.role}</legend>
      {roles.map((each) => (
        <CheckField
          key={each}
          type="radio"
          name="role"
          label={profile.roles[each]}
          hint={team.roleTexts[each]}
          checked={each === role}
          onChange={() => onChange(each)}
        />
      ))}
    </fieldset>
  )
}
