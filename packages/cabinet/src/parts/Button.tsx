/** Buttons. */
import type { ComponentPropsWithRef } from "react"
import styles from "./Button.module.css"

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  readonly look?: "main" | "second" | "plain" | "bad"
  /** Whether what it began is under way: it keeps its place and takes no further press. */
  readonly isBusy?: boolean
  readonly isSmall?: boolean
}

/** A button; of a form only if its type says so. */
export const Button = ({
  look = "main",
  isBusy = false,
  isSmall = false,
  className,
  children,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={[styles["button"], styles[look], isSmall && styles["small"], className].filter(Boolean).join(" ")}
    aria-disabled={isBusy || rest["aria-disabled"]}
    aria-busy={isBusy || undefined}
    data-first={rest.autoFocus || undefined}
    onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
  >
    {children}
  </button>
)
