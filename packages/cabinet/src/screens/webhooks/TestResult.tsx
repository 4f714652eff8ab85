/** What becomes of a test, as it happens. */
import { useQuery } from "@tanstack/react-query"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import { soon } from "../../parts/Soon.ts"
import { Pill } from "../../parts/Status.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { deliveryTones } from "./Delivery.ts"
import { type Endpoint, stateOf } from "./Endpoint.ts"
import { useOutcome } from "./Outcome.tsx"
import styles from "./Webhooks.module.css"

const everyMs = 500

interface TestResultProps {
  readonly endpoint: Endpoint
  readonly deliveryId: string
}

/** The line: on its way, then what was answered. */
export const TestResult = ({ endpoint, deliveryId }: TestResultProps) => {
  const { language } = useWords()
  const hooks = useWebhooksTexts()
  const { params, query } = useGiven()
  const now = useNow(1000)
  const outcome = useOutcome()
  const given = { params: { ...params, id: endpoint.id, deliveryId }, query }
  const one = reading("GET /panel/orgs/:organizationId/webhook-endpoints/:id/deliveries/:deliveryId", given)
  const { data, error } = useQuery({
    ...one,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.attempts.length === 0 ? everyMs : false)
  })
  const last = data?.attempts.at(-1)
  const state = stateOf(endpoint, now)
  const isHeld = last === undefined && (state === "off" || state === "rests")
  return (
    <div className={styles["test"]} role="status">
      <Pill tone={data === undefined ? "wait" : last === undefined ? "wait" : deliveryTones[data.status]}>
        {hooks.events["webhook.test"]}
      </Pill>
      {error !== null && <Refused failure={error} />}
      {error === null && last === undefined && <span>{isHeld ? hooks.testHeld : hooks.testing}</span>}
      {last !== undefined && <span>{outcome(last)}</span>}
      {data !== undefined && data.status === "pending" && last !== undefined && data.nextAttemptAt !== null && (
        <span>{hooks.next(soon(data.nextAttemptAt, now, language))}</span>
      )}
    </div>
  )
}
