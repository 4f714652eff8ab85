/** What is taken along of a statement: tables, and the file for the accountant's program. */
import { Download } from "lucide-react"
import { useState } from "react"
import { linkOf } from "../../api/Call.ts"
import type { Mode } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import type { Grouping } from "../../app/ReportPeriod.ts"
import { Field } from "../../parts/Field.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Reports.module.css"
import { useReportsTexts } from "./Texts.ts"

interface FilesProps {
  readonly query: {
    readonly mode: Mode
    readonly from: string
    readonly to: string
    readonly connectionId?: string
  }
  readonly by: Grouping
}

/** The links. */
export const Files = ({ query, by }: FilesProps) => {
  const reports = useReportsTexts()
  const { language } = useWords()
  const { params } = useGiven()
  const [account, setAccount] = useState("")
  const mayTake = useMay()("invoices:export") !== null
  const table = { params, query: { ...query, lang: language, bom: "1" } }
  const statement = { ...table, query: { ...table.query, by } }
  const books = { params, query: { ...query, ...(account !== "" && { account }) } }
  return (
    <div className={styles["files"]}>
      <div>
        <h3>{reports.files}</h3>
        <p className={styles["note"]}>{reports.filesText}</p>
      </div>
      <p className={styles["links"]}>
        <span>{reports.ofStatement}:</span>
        <FileLink name="XLSX" to={linkOf("GET /panel/orgs/:organizationId/statement.xlsx", statement)} />
        <FileLink name="CSV" to={linkOf("GET /panel/orgs/:organizationId/statement.csv", statement)} />
      </p>
      {mayTake && (
        <>
          <p className={styles["links"]}>
            <span>{reports.ofMovements}:</span>
            <FileLink name="XLSX" to={linkOf("GET /panel/orgs/:organizationId/movements.xlsx", table)} />
            <FileLink name="CSV" to={linkOf("GET /panel/orgs/:organizationId/movements.csv", table)} />
          </p>
          <div className={styles["account"]}>
            <Field
              label={reports.account}
              hint={reports.accountHint}
              autoComplete="off"
              spellCheck={false}
              maxLength={34}
              value={account}
              onChange={({ target }) => setAccount(target.value)}
            />
            <p className={styles["links"]}>
              <FileLink name={reports.forBooks} to={linkOf("GET /panel/orgs/:organizationId/1c.txt", books)} />
            </p>
          </div>
        </>
      )}
    </div>
  )
}

const FileLink = ({ name, to }: { readonly name: string; readonly to: string }) => (
  <a href={to} download>
    <Download size={18} aria-hidden />
    {name}
  </a>
)
