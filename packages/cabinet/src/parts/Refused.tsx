/** What a refusal means, and what to do about it. */
import { Refusal } from "../api/Call.ts"
import { givenUp } from "../api/Confirmation.ts"
import styles from "./Refused.module.css"
import { useFirstWords } from "./Words.tsx"

/** The code of what went wrong; anything that is no refusal is a fault of ours. */
export const codeOf = (failure: unknown): string => (failure instanceof Refusal ? failure.code : "internal_error")

/** The catalogue's text of a refusal and the advice about it. */
export const useExplanation = () => {
  const { texts, refusals } = useFirstWords()
  return (failure: unknown) => {
    const code = codeOf(failure)
    const known = code === "offline" ? texts.common.offline : refusals[code]
    return { title: known ?? texts.common.failed, advice: texts.common.advice[code] ?? null }
  }
}

/** A refusal in a form or in place of a screen; it is read out as it appears. */
export const Refused = ({ failure, id }: { readonly failure: unknown; readonly id?: string }) => {
  const { title, advice } = useExplanation()(failure)
  if (codeOf(failure) === givenUp) return null
  return (
    <div className={styles["refused"]} role="alert" id={id}>
      <strong>{title}</strong>
      {advice !== null && <span>{advice}</span>}
    </div>
  )
}
