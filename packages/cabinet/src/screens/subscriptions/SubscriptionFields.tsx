/** The fields of a subscription. */
import { useState } from "react"
import { useHere } from "../../app/Organization.ts"
import { phoneDigits, phoneText } from "../../login/PhoneText.ts"
import { amountText } from "../../parts/AmountText.ts"
import { SelectField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import type { SubscriptionField } from "../../texts/SubscriptionsTexts.ts"
import { useCashiers } from "../cashiers/Cashier.ts"
import { MetadataFields } from "./MetadataFields.tsx"
import styles from "./SubscriptionForm.module.css"
import { useSubscriptionsTexts } from "./Texts.ts"
import type { PairFault } from "./TypedMetadata.ts"
import type { TypedSubscription } from "./TypedSubscription.ts"

interface SubscriptionFieldsProps {
  readonly typed: TypedSubscription
  readonly isNew: boolean
  readonly pairFault: PairFault | null
  readonly wrongOf: (field: SubscriptionField | "metadata") => string | null
  readonly onChange: (part: Partial<TypedSubscription>) => void
}

const same = (text: string): string => text

/** What every field of text is given; `shown` makes of what is typed what is shown. */
const useNamed = ({ typed, wrongOf, onChange }: SubscriptionFieldsProps) => {
  const words = useSubscriptionsTexts()
  return (name: SubscriptionField, shown: (typed: string) => string = same) => ({
    name,
    label: words.fields[name],
    hint: words.hints[name] ?? null,
    autoComplete: "off",
    value: typed[name],
    wrong: wrongOf(name),
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [name]: shown(currentTarget.value) })
  })
}

const phoneShown = (typed: string): string => phoneText(phoneDigits(typed))

/** The fields. */
export const SubscriptionFields = (props: SubscriptionFieldsProps) => {
  const { typed, isNew, onChange } = props
  const { facts, fields } = useSubscriptionsTexts()
  const named = useNamed(props)
  return (
    <>
      <div className={styles["pair"]}>
        <Field {...named("amount", amountText)} inputMode="decimal" maxLength={32} autoFocus />
        <SelectField
          label={fields.kind}
          value={typed.kind}
          onChange={({ currentTarget }) => onChange({ kind: currentTarget.value as "qr" })}
        >
          <option value="qr">{facts.qr}</option>
          <option value="phone">{facts.push}</option>
        </SelectField>
      </div>
      <Field {...named("description")} maxLength={60} />
      <Schedule {...props} />
      <div className={styles["pair"]}>
        <Field {...named("name")} maxLength={100} />
        <Field {...named("phone", phoneShown)} type="tel" inputMode="tel" before="+7" maxLength={24} />
      </div>
      <Field {...named("email")} type="email" inputMode="email" maxLength={254} />
      <More {...props} />
      {isNew && <CashierChoice value={typed.connectionId} onChange={(connectionId) => onChange({ connectionId })} />}
    </>
  )
}

const Schedule = (props: SubscriptionFieldsProps) => {
  const { typed, isNew, onChange } = props
  const { fields, intervals } = useSubscriptionsTexts()
  const named = useNamed(props)
  return (
    <>
      <div className={styles["pair"]}>
        <Field {...named("every")} inputMode="numeric" maxLength={2} />
        <SelectField
          label={fields.interval}
          value={typed.interval}
          onChange={({ currentTarget }) => onChange({ interval: currentTarget.value as "day" })}
        >
          {(["day", "week", "month"] as const).map((each) => (
            <option key={each} value={each}>
              {intervals[each]}
            </option>
          ))}
        </SelectField>
      </div>
      <div className={styles["pair"]}>
        {typed.interval === "month" && <Field {...named("dayOfMonth")} inputMode="numeric" maxLength={2} />}
        <Field {...named(isNew ? "startAt" : "nextRunAt")} type="datetime-local" />
      </div>
    </>
  )
}

const More = (props: SubscriptionFieldsProps) => {
  const { typed, pairFault, wrongOf, onChange } = props
  const { fields, misfires, more } = useSubscriptionsTexts()
  const named = useNamed(props)
  const [isOpen, setOpen] = useState(false)
  const isWrong = pairFault !== null || (["maxRuns", "retry", "metadata"] as const).some((each) => wrongOf(each))
  return (
    // What is wrong is no use to anyone while it is folded away.
    // It stays open while that is mended.
    <details
      className={styles["more"]}
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{more}</summary>
      <div className={styles["pair"]}>
        <Field {...named("maxRuns")} inputMode="numeric" maxLength={9} />
        <Field {...named("retry")} inputMode="text" maxLength={60} />
      </div>
      <SelectField
        label={fields.misfire}
        value={typed.misfire}
        onChange={({ currentTarget }) => onChange({ misfire: currentTarget.value as "skip" })}
      >
        {(["run_once", "skip"] as const).map((each) => (
          <option key={each} value={each}>
            {misfires[each]}
          </option>
        ))}
      </SelectField>
      <MetadataFields
        pairs={typed.metadata}
        fault={pairFault}
        wrong={wrongOf("metadata")}
        onChange={(metadata) => onChange({ metadata })}
      />
    </details>
  )
}

interface CashierChoiceProps {
  readonly value: string
  readonly onChange: (id: string) => void
}

/** Whose invoices they are to be; nothing in the sandbox, which has no cashiers, and where there is one at most. */
const CashierChoice = ({ value, onChange }: CashierChoiceProps) => {
  const { facts, fields } = useSubscriptionsTexts()
  const { mode } = useHere()
  const cashiers = useCashiers().filter(({ status }) => status === "active" || status === "expired")
  if (mode !== "live" || cashiers.length < 2) return null
  return (
    <SelectField label={fields.cashier} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{facts.defaultCashier}</option>
      {cashiers.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
