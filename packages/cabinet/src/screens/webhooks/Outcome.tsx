/** What came of an attempt, in a line. */

import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import type { SendFault } from "../../texts/WebhooksTexts.ts"
import type { DeliveryDetail } from "./Delivery.ts"

type Attempt = DeliveryDetail["attempts"][number]

/** The answer's status and how long it took, or why there is none. */
export const useOutcome = (): ((attempt: Attempt) => string) => {
  const { answered, unanswered, faults, fault } = useWebhooksTexts()
  const known: Readonly<Record<string, string>> = faults
  return ({ status, error, durationMs }) => {
    const ms = Math.round(durationMs)
    if (status !== null && error === null) return answered(status, ms)
    return unanswered(known[(error ?? "") as SendFault] ?? fault, ms)
  }
}
