/** What came of an attempt, in a line. */
import { useWords } from "../../parts/Words.tsx"
import type { SendFault } from "../../texts/HooksTexts.ts"
import type { DeliveryDetail } from "./Delivery.ts"

type Attempt = DeliveryDetail["attempts"][number]

/** The answer's status and how long it took, or why there is none. */
export const useOutcome = (): ((attempt: Attempt) => string) => {
  const { answered, unanswered, faults, fault } = useWords().texts.hooks
  const known: Readonly<Record<string, string>> = faults
  return ({ status, error, durationMs }) => {
    const ms = Math.round(durationMs)
    if (status !== null && error === null) return answered(status, ms)
    return unanswered(known[(error ?? "") as SendFault] ?? fault, ms)
  }
}
