/** Fields in which something is chosen: one of a list, or whether or not. */
import { type ComponentPropsWithRef, type ReactNode, useId } from "react"
import styles from "./Field.module.css"

interface SelectFieldProps extends ComponentPropsWithRef<"select"> {
  readonly label: string
  readonly hint?: string | null
}

/** One of a list. */
export const SelectField = ({ label, hint = null, children, ...select }: SelectFieldProps) => {
  const id = useId()
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <div className={styles["box"]}>
        <select {...select} id={id} aria-describedby={hint === null ? undefined : `${id}-hint`}>
          {children}
        </select>
      </div>
      {hint !== null && (
        <p className={styles["hint"]} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface CheckFieldProps extends Omit<ComponentPropsWithRef<"input">, "type"> {
  readonly label: ReactNode
  readonly type?: "checkbox" | "radio"
  readonly hint?: ReactNode
}

/** Whether or not. */
export const CheckField = ({ label, hint, type = "checkbox", ...input }: CheckFieldProps) => (
  <label className={styles["check"]}>
    <input {...input} type={type} />
    <span>
      {label}
      {hint !== undefined && <small>{hint}</small>}
    </span>
  </label>
)
