/** States, in a word and in colour. */
import type { ReactNode } from "react"
import type { StatusName } from "../texts/WorkTexts.ts"
import styles from "./Status.module.css"
import { useWords } from "./Words.tsx"

type Tone = "calm" | "wait" | "good" | "bad" | "back"

const tones: Readonly<Record<StatusName, Tone>> = {
  new: "wait",
  pending: "wait",
  paid: "good",
  failed: "bad",
  expired: "calm",
  cancelled: "calm",
  refunded: "back",
  partially_refunded: "back"
}

/** A pill. */
export const Pill = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={styles["status"]} data-tone={tone}>
    {children}
  </span>
)

/** The status of an invoice. */
export const Status = ({ status }: { readonly status: StatusName }) => {
  const { texts } = useWords()
  return <Pill tone={tones[status]}>{texts.statuses[status]}</Pill>
}
