/** The accountant's month: which days are alike with the provider's own list, and what differs. */
import { day, isoDay, noonOf } from "@tolem/http-server/pages/Formats"
import { ChevronLeft, ChevronRight } from "lucide-react"
import { useState } from "react"
import { useHere } from "../app/Organization.ts"
import { now } from "../browser/Clock.ts"
import rows from "../parts/Rows.module.css"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { Differences } from "./reconciliation/Differences.tsx"
import { type Month, monthBeside, monthWith } from "./reconciliation/Month.ts"
import { ReconciledDays } from "./reconciliation/ReconciledDays.tsx"
import styles from "./reconciliation/Reconciliation.module.css"
import { useReconciliationTexts } from "./reconciliation/Texts.ts"

/** The screen. */
export const Reconciliation = () => {
  const words = useReconciliationTexts()
  const { organizationId, mode } = useHere()
  const [month, setMonth] = useState(() => monthWith(isoDay(now())))
  useTitle(words.title)
  return (
    <div className={rows["screen"]} key={`${organizationId} ${mode}`}>
      <header>
        <h1>{words.title}</h1>
        {mode === "live" && <MonthChoice month={month} onChoose={setMonth} />}
      </header>
      <p className={styles["text"]}>{mode === "live" ? words.text : words.sandbox}</p>
      {mode === "live" && <Differences month={month} />}
      {mode === "live" && <ReconciledDays month={month} />}
    </div>
  )
}

interface MonthChoiceProps {
  readonly month: Month
  readonly onChoose: (month: Month) => void
}

const MonthChoice = ({ month, onChoose }: MonthChoiceProps) => {
  const words = useReconciliationTexts()
  const { language } = useWords()
  const shown = [month.from, month.to].map((each) => day(noonOf(each), language, true)).join(" – ")
  return (
    <div className={styles["month"]}>
      <button type="button" aria-label={words.earlier} onClick={() => onChoose(monthBeside(month, -1))}>
        <ChevronLeft size={20} aria-hidden />
      </button>
      <span aria-live="polite">{`${shown} ${month.from.slice(0, 4)}`}</span>
      <button
        type="button"
        aria-label={words.later}
        disabled={month.to >= isoDay(now())}
        onClick={() => onChoose(monthBeside(month, 1))}
      >
        <ChevronRight size={20} aria-hidden />
      </button>
    </div>
  )
}
