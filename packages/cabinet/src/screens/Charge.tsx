/** The till: an amount, a code for the customer, the sound of money, the next customer. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect } from "react"
import { keepAwake } from "../browser/WakeLock.ts"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { Entry } from "./till/Entry.tsx"
import { Stage } from "./till/Stage.tsx"
import styles from "./till/Till.module.css"
import { Today } from "./till/Today.tsx"

/** The screen. Which payment is shown stands in the address, so that a page that is loaded anew goes on with it. */
export const Charge = () => {
  const { texts } = useWords()
  const navigate = useNavigate()
  const { invoice } = useSearch({ strict: false })
  useTitle(texts.till.title)
  useEffect(keepAwake, [])
  const show = (id: string | undefined) =>
    void navigate({
      to: ".",
      search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...(id !== undefined && { invoice: id }) }),
      replace: invoice !== undefined
    })
  return (
    <div className={styles["till"]}>
      <h1>{texts.till.title}</h1>
      <Entry onMade={show} />
      <Today onShow={show} />
      {invoice !== undefined && <Stage key={invoice} id={invoice} onClose={() => show(undefined)} onShow={show} />}
    </div>
  )
}
