/** A Kazakhstani phone, as people type or paste it. */
import { phoneDigits, phoneText } from "../../login/PhoneText.ts"
import { Field } from "../../parts/Field.tsx"

interface PhoneFieldProps {
  readonly name: string
  readonly label: string
  readonly hint: string | null
  /** `701 123 45 67`, as far as it is typed. */
  readonly value: string
  readonly wrong: string | null
  readonly onType: (phone: string) => void
  readonly autoFocus?: boolean
}

/** The field. */
export const PhoneField = ({ onType, ...field }: PhoneFieldProps) => (
  <Field
    {...field}
    before="+7"
    type="tel"
    inputMode="tel"
    autoComplete="off"
    placeholder="700 000 00 00"
    onChange={({ currentTarget }) => onType(phoneText(phoneDigits(currentTarget.value)))}
  />
)
