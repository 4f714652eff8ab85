/** The fields of a payment link. */
import { ImagePlus, Trash2 } from "lucide-react"
import { useId, useRef, useState } from "react"
import { fileUrl } from "../../browser/Files.ts"
import { amountText } from "../../parts/AmountText.ts"
import { Button } from "../../parts/Button.tsx"
import { CheckField, SelectField } from "../../parts/Choice.tsx"
import { AreaField, Field } from "../../parts/Field.tsx"
import rows from "../../parts/Rows.module.css"
import type { LinkEditorField } from "../../texts/LinksTexts.ts"
import type { TypedLink } from "./LinkDraft.ts"
import styles from "./Links.module.css"
import { useLinksTexts } from "./Texts.ts"

interface FieldsProps {
  readonly typed: TypedLink
  readonly wrongOf: (field: LinkEditorField) => string | null
  readonly onChange: (part: Partial<TypedLink>) => void
}

type Named = Exclude<LinkEditorField, "picture">

/** What every field of text is given. */
const useNamed = ({ typed, wrongOf, onChange }: FieldsProps) => {
  const words = useLinksTexts()
  return (name: Named) => ({
    name,
    label: words.fields[name],
    hint: words.hints[name] ?? null,
    autoComplete: "off",
    value: typed[name],
    wrong: wrongOf(name),
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [name]: currentTarget.value })
  })
}

/** The fields. */
export const EditorFields = (props: FieldsProps) => {
  const { typed, wrongOf, onChange } = props
  const words = useLinksTexts()
  const named = useNamed(props)
  return (
    <>
      <Field {...named("title")} maxLength={100} autoFocus />
      <Field {...named("description")} maxLength={100} />
      <AmountFields {...props} />
      <PictureField picture={typed.picture} wrong={wrongOf("picture")} onChange={(picture) => onChange({ picture })} />
      <fieldset className={styles["asked"]}>
        <legend>{words.asked}</legend>
        {(["name", "phone", "email", "comment"] as const).map((field) => (
          <SelectField
            key={field}
            label={words.of[field]}
            value={typed.fields[field]}
            onChange={({ currentTarget }) =>
              onChange({ fields: { ...typed.fields, [field]: currentTarget.value as "off" } })
            }
          >
            {(["off", "optional", "required"] as const).map((each) => (
              <option key={each} value={each}>
                {words.ask[each]}
              </option>
            ))}
          </SelectField>
        ))}
      </fieldset>
      <Field {...named("slug")} maxLength={64} spellCheck={false} autoCapitalize="none" />
      <details className={styles["more"]}>
        <summary>{words.more}</summary>
        <div>
          <Field {...named("maxPayments")} inputMode="numeric" maxLength={5} />
          <Field {...named("opensAt")} type="datetime-local" />
          <Field {...named("closesAt")} type="datetime-local" />
          <AreaField {...named("thankYou")} rows={3} maxLength={500} />
        </div>
      </details>
    </>
  )
}

const AmountFields = (props: FieldsProps) => {
  const { typed, onChange } = props
  const words = useLinksTexts()
  const named = useNamed(props)
  const sum = (name: "amount" | "minAmount" | "maxAmount") => ({
    ...named(name),
    inputMode: "decimal" as const,
    maxLength: 32,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [name]: amountText(currentTarget.value) })
  })
  return (
    <>
      <fieldset className={rows["choices"]}>
        <legend>{words.how}</legend>
        {[false, true].map((isTyped) => (
          <CheckField
            key={String(isTyped)}
            type="radio"
            name="isTyped"
            label={isTyped ? words.typed : words.fixed}
            checked={typed.isTyped === isTyped}
            onChange={() => onChange({ isTyped })}
          />
        ))}
      </fieldset>
      {typed.isTyped ? (
        <>
          <Field {...named("presets")} maxLength={100} />
          <div className={styles["pair"]}>
            <Field {...sum("minAmount")} />
            <Field {...sum("maxAmount")} />
          </div>
        </>
      ) : (
        <Field {...sum("amount")} />
      )}
    </>
  )
}

const kinds = ["image/png", "image/jpeg", "image/webp"]
const maxBytes = 256 * 1024

interface PictureFieldProps {
  readonly picture: TypedLink["picture"]
  readonly wrong: string | null
  readonly onChange: (picture: TypedLink["picture"]) => void
}

const PictureField = ({ picture, wrong, onChange }: PictureFieldProps) => {
  const words = useLinksTexts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isWrong, setWrong] = useState(false)
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    const isRight = file.size <= maxBytes && kinds.includes(file.type)
    setWrong(!isRight)
    if (isRight) onChange({ kind: "chosen", url: await fileUrl(file) })
  }
  const said = isWrong ? words.pictureWrong : wrong
  return (
    <div className={styles["pictureField"]}>
      <strong id={id}>{words.fields.picture}</strong>
      <small id={`${id}-hint`}>{words.hints.picture}</small>
      <div className={rows["actions"]}>
        <Button look="second" isSmall aria-describedby={`${id} ${id}-hint`} onClick={() => input.current?.click()}>
          <ImagePlus size={18} aria-hidden />
          {words.choosePicture}
        </Button>
        {picture !== null && (
          <Button look="plain" isSmall onClick={() => onChange(null)}>
            <Trash2 size={18} aria-hidden />
            {words.removePicture}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={kinds.join(",")}
        aria-labelledby={id}
        hidden
        onChange={({ currentTarget }) => {
          void choose(currentTarget.files?.[0])
          // The same file may be chosen again after it was made smaller.
          currentTarget.value = ""
        }}
      />
      {said !== null && (
        <p className={rows["wrong"]} role="alert">
          {said}
        </p>
      )}
    </div>
  )
}
