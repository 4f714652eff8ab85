/** A named field of a form, with its hint and what is wrong with it. */
import { type ComponentPropsWithRef, useId } from "react"
import styles from "./Field.module.css"

interface FieldProps extends ComponentPropsWithRef<"input"> {
  readonly label: string
  readonly hint?: string | null
  readonly wrong?: string | null
  /** What stands in front of the value, as `+7`. */
  readonly before?: string
}

/** The field. Its hint and its fault are read out with it. */
export const Field = ({ label, hint = null, wrong = null, before, className, ...input }: FieldProps) => {
  const id = useId()
  const described = [wrong === null ? null : `${id}-wrong`, hint === null ? null : `${id}-hint`]
    .filter(Boolean)
    .join(" ")
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <div className={styles["box"]} data-wrong={wrong !== null || undefined}>
        {before !== undefined && <span aria-hidden="true">{before}</span>}
        <input
          {...input}
          id={id}
          className={className}
          aria-invalid={wrong !== null || undefined}
          aria-describedby={described === "" ? undefined : described}
        />
      </div>
      {wrong !== null && (
        <p className={styles["wrong"]} id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
      {hint !== null && (
        <p className={styles["hint"]} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
