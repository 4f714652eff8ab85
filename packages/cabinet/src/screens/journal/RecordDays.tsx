/** Records of a journal under the days that they are of, each with what is known of it. */
import { day, isoDay, minute, noonOf } from "@tolem/http-server/pages/Formats"
import type { ReactNode } from "react"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Journal.module.css"

interface RecordDaysProps<R> {
  readonly records: ReadonlyArray<R>
  /** A line of the list. */
  readonly children: (record: R) => ReactNode
}

/** The days, in the order of the records. */
export const RecordDays = <R extends { readonly at: string }>({ records, children }: RecordDaysProps<R>) => {
  const { language } = useWords()
  const days = Map.groupBy(records, ({ at }) => isoDay(Date.parse(at)))
  return (
    <>
      {Array.from(days, ([name, entries]) => (
        <section key={name} className={styles["day"]}>
          <h2>{day(noonOf(name), language)}</h2>
          <ul className={styles["records"]}>{entries.map(children)}</ul>
        </section>
      ))}
    </>
  )
}

interface RecordLineProps {
  readonly at: string
  /** What was done, and to what. */
  readonly deed: ReactNode
  /** What else is known of it. */
  readonly more: string | null
  /** Who did it, and whose it is. */
  readonly children: ReactNode
}

/** A record. */
export const RecordLine = ({ at, deed, more, children }: RecordLineProps) => (
  <li>
    <time dateTime={at}>{minute(Date.parse(at))}</time>
    <span className={styles["deed"]}>
      <span>{deed}</span>
      {more !== null && <small>{more}</small>}
      {children}
    </span>
  </li>
)
