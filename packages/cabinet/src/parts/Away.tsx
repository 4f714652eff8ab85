/** In place of everything, while the server cannot be reached at all. */

import styles from "./Away.module.css"
import { Button } from "./Button.tsx"
import { useFirstWords } from "./Words.tsx"

/** What is wrong, and a way to try again. */
export const Away = ({ onAgain }: { readonly onAgain: () => void }) => {
  const { texts } = useFirstWords()
  return (
    <main className={styles["away"]}>
      <h1>{texts.login.away}</h1>
      <p>{texts.common.advice["offline"]}</p>
      <Button onClick={onAgain}>{texts.common.again}</Button>
    </main>
  )
}
