/** A named field of a form, with its hint and what is wrong with it. */
import { type ComponentPropsWithRef, type ReactNode, useId } from "react"
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
  return (
    <Around id={id} label={label} hint={hint} wrong={wrong}>
      {before !== undefined && <span aria-hidden="true">{before}</span>}
      <input {...input} {...told(id, hint, wrong)} className={className} data-first={input.autoFocus || undefined} />
    </Around>
  )
}

interface AreaFieldProps extends ComponentPropsWithRef<"textarea">, Pick<FieldProps, "label" | "hint" | "wrong"> {}

/** The same for several lines. */
export const AreaField = ({ label, hint = null, wrong = null, ...area }: AreaFieldProps) => {
  const id = useId()
  return (
    <Around id={id} label={label} hint={hint} wrong={wrong}>
      <textarea {...area} {...told(id, hint, wrong)} />
    </Around>
  )
}

const told = (id: string, hint: string | null, wrong: string | null) => {
  const described = [wrong === null ? null : `${id}-wrong`, hint === null ? null : `${id}-hint`]
    .filter(Boolean)
    .join(" ")
  return {
    id,
    "aria-invalid": wrong !== null || undefined,
    "aria-describedby": described === "" ? undefined : described
  }
}

interface AroundProps {
  readonly id: string
  readonly label: string
  readonly hint: string | null
  readonly wrong: string | null
  readonly children: ReactNode
}

const Around = ({ id, label, hint, wrong, children }: AroundProps) => (
  <div className={styles["field"]}>
    <label htmlFor={id}>{label}</label>
    <div className={styles["box"]} data-wrong={wrong !== null || undefined}>
      {children}
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
