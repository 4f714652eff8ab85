/** The till: an amount, a code for the customer, the sound of money, the next customer. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect } from "react"
import { keepAwake } from "../browser/WakeLock.ts"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { Earlier } from "./till/Earlier.tsx"
import { Entry } from "./till/Entry.tsx"
import { hear, Stage } from "./till/Stage.tsx"
import styles from "./till/Till.module.css"
import { Today } from "./till/Today.tsx"

// The most payments that are watched beside the one that is shown.
const most = 3

/**
 * The screen. Which payment is shown stands in the address, and which were charged again, so that a page that is
 * loaded anew goes on with them.
 */
export const Charge = () => {
  const { texts } = useWords()
  const navigate = useNavigate()
  const { invoice, earlier } = useSearch({ strict: false })
  const before = earlier?.split(".") ?? []
  useTitle(texts.till.title)
  useEffect(keepAwake, [])
  const show = (id: string | undefined, watched = before) =>
    void navigate({
      to: ".",
      search: ({ mode }) => ({
        ...(mode !== undefined && { mode }),
        ...(id !== undefined && { invoice: id }),
        ...(watched.length > 0 && { earlier: watched.slice(-most).join(".") })
      }),
      replace: invoice !== undefined
    })
  const notes = before.length > 0 && <Earlier ids={before} onPaid={hear} />
  return (
    <div className={styles["till"]}>
      <h1>{texts.till.title}</h1>
      {invoice === undefined && notes && <div className={styles["notes"]}>{notes}</div>}
      <Entry onMade={(id) => show(id)} />
      <Today onShow={(id) => show(id)} />
      {invoice !== undefined && (
        <Stage
          key={invoice}
          id={invoice}
          onClose={() => show(undefined)}
          onShow={(id) => show(id, [...before, invoice])}
        >
          {notes}
        </Stage>
      )}
    </div>
  )
}
