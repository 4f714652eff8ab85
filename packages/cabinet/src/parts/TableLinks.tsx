/** All that the filter of a list lets through, as files for spreadsheets. */
import { Download } from "lucide-react"
import styles from "./TableLinks.module.css"
import { useWords } from "./Words.tsx"

interface TableLinksProps {
  /** Addresses of the files. */
  readonly csv: string
  readonly xlsx: string
}

/** The links. */
export const TableLinks = ({ csv, xlsx }: TableLinksProps) => {
  const { texts } = useWords()
  return (
    <p className={styles["files"]}>
      <a className={styles["file"]} href={csv} download>
        <Download size={18} aria-hidden />
        {texts.invoices.table}
      </a>
      <a className={styles["file"]} href={xlsx} download>
        XLSX
      </a>
    </p>
  )
}
