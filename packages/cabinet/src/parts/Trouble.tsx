/** In place of a screen that could not be shown. */
import { useQueryErrorResetBoundary } from "@tanstack/react-query"
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router"
import { Button } from "./Button.tsx"
import { Refused } from "./Refused.tsx"
import styles from "./Trouble.module.css"
import { useWords } from "./Words.tsx"

/** What went wrong, with a way to try it again. */
export const Broken = ({ error, reset }: ErrorComponentProps) => {
  const { texts } = useWords()
  const router = useRouter()
  const { reset: forget } = useQueryErrorResetBoundary()
  const again = () => {
    forget()
    reset()
    void router.invalidate()
  }
  return (
    <section className={styles["trouble"]}>
      <h1>{texts.common.failed}</h1>
      <Refused failure={error} />
      <p>{texts.common.failedText}</p>
      <Button onClick={again}>{texts.common.again}</Button>
    </section>
  )
}

/** At an address that there is not. */
export const Missing = () => {
  const { texts } = useWords()
  return (
    <main id="content" className={styles["trouble"]}>
      <h1>{texts.common.notFound}</h1>
      <p>{texts.common.notFoundText}</p>
      <Link to="/">{texts.common.home}</Link>
    </main>
  )
}
