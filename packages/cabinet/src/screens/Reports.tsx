/** What an accountant closes a month with: the statement of a period, and the report of a till. */
import { Printer } from "lucide-react"
import { useState } from "react"
import { flushSync } from "react-dom"
import { useHere } from "../app/Organization.ts"
import { useMay } from "../app/Permissions.ts"
import { printPage } from "../browser/Print.ts"
import { Button } from "../parts/Button.tsx"
import rows from "../parts/Rows.module.css"
import { useTitle } from "../parts/Title.ts"
import { LettersCard } from "./reports/Letters.tsx"
import styles from "./reports/Reports.module.css"
import { ShiftCard } from "./reports/Shift.tsx"
import { StatementCard } from "./reports/Statement.tsx"
import { useReportsTexts } from "./reports/Texts.ts"

type Part = "statement" | "shift"

/** The screen. */
export const Reports = () => {
  const reports = useReportsTexts()
  const { organizationId, mode, name } = useHere()
  const mayHaveLetters = useMay()("reports:letters") !== null
  // The browser's own way to print has both.
  const [printed, setPrinted] = useState<Part | null>(null)
  useTitle(reports.title)
  const printing = (part: Part) => (
    <div className={styles["actions"]}>
      <Button
        look="plain"
        isSmall
        onClick={() => {
          flushSync(() => setPrinted(part))
          printPage(() => setPrinted(null))
        }}
      >
        <Printer size={18} aria-hidden />
        {reports.print}
      </Button>
    </div>
  )
  const placeOf = (part: Part) => (printed === null || printed === part ? undefined : styles["unprinted"])
  return (
    <div className={rows["screen"]} key={`${organizationId} ${mode}`}>
      <header>
        <h1>
          {reports.title}
          <small className={styles["onPaper"]}>{name}</small>
        </h1>
      </header>
      <div className={placeOf("statement")}>
        <StatementCard action={printing("statement")} />
      </div>
      <div className={placeOf("shift")}>
        <ShiftCard action={printing("shift")} />
      </div>
      {mayHaveLetters && <LettersCard />}
    </div>
  )
}
