/** The status of an invoice, in a word and in colour. */
import type { StatusName } from "../texts/WorkTexts.ts"
import styles from "./Status.module.css"
import { useWords } from "./Words.tsx"

const tones: Readonly<Record<StatusName, "calm" | "wait" | "good" | "bad" | "back">> = {
  new: "wait",
  pending: "wait",
  paid: "good",
  failed: "bad",
  expired: "calm",
  cancelled: "calm",
  refunded: "back",
  partially_refunded: "back"
}

/** The pill. */
export const Status = ({ status }: { readonly status: StatusName }) => {
  const { texts } = useWords()
  return (
    <span className={styles["status"]} data-tone={tones[status]}>
      {texts.statuses[status]}
    </span>
  )
}
