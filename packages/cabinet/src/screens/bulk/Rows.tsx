/** Rows of a file, each with what is wrong. */
import { useFirstWords } from "../../parts/Words.tsx"
import styles from "./Bulk.module.css"
import { useBulkTexts } from "./Texts.ts"

interface WrongRow {
  readonly row: number
  /** What the column is called, and what stands there; null: it is not one column's fault. */
  readonly column: string | null
  readonly value: string | null
  readonly code: string
}

/** The table. */
export const WrongRows = ({ rows }: { readonly rows: ReadonlyArray<WrongRow> }) => {
  const words = useBulkTexts()
  const { refusals } = useFirstWords()
  return (
    <table className={styles["table"]}>
      <thead>
        <tr>
          <th scope="col">{words.row}</th>
          <th scope="col">{words.column}</th>
          <th scope="col">{words.cause}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ row, column, value, code }) => (
          <tr key={row}>
            <th scope="row">{row}</th>
            <td>{column}</td>
            <td>
              {refusals[code] ?? code} {value !== null && value !== "" && <q>{value}</q>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
