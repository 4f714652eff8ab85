/** How an endpoint does, in a word and in a sentence. */
import { useNow } from "../../parts/Now.ts"
import { soon } from "../../parts/Soon.ts"
import { Pill } from "../../parts/Status.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { type Endpoint, stateOf, stateTones } from "./Endpoint.ts"

const everyMs = 15_000

/** The word. */
export const HealthPill = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const hooks = useWebhooksTexts()
  const state = stateOf(endpoint, useNow(everyMs))
  return <Pill tone={stateTones[state]}>{hooks.states[state]}</Pill>
}

/** The sentence; null of one that does well. */
export const useHealthText = (endpoint: Endpoint): string | null => {
  const { language } = useWords()
  const now = useNow(everyMs)
  const { restsText, failsText, offText } = useWebhooksTexts()
  const { failureCount, pausedUntil } = endpoint
  switch (stateOf(endpoint, now)) {
    case "off":
      return offText
    case "rests":
      return restsText(failureCount, soon(pausedUntil ?? "", now, language))
    case "fails":
      return failsText(failureCount)
    default:
      return null
  }
}
