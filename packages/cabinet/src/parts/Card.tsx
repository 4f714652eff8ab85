/** A part of a screen, with its heading. */
import { type ReactNode, useId } from "react"
import styles from "./Card.module.css"

interface CardProps {
  readonly title: string
  readonly text?: string | null
  /** Beside the heading. */
  readonly action?: ReactNode
  readonly children?: ReactNode
}

/** The part. */
export const Card = ({ title, text = null, action, children }: CardProps) => {
  const id = useId()
  return (
    <section className={styles["card"]} aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {text !== null && <p>{text}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  )
}
