/** The dates that would come of what is typed. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { instant } from "@tolem/http-server/pages/Formats"
import { ask } from "../../api/Session.ts"
import { useGiven } from "../../app/Places.ts"
import { useWords } from "../../parts/Words.tsx"
import type { ShownSubscription } from "./Subscription.ts"
import styles from "./SubscriptionForm.module.css"
import { useSubscriptionsTexts } from "./Texts.ts"
import { scheduleChanges, scheduleFault, scheduleOfTyped, type TypedSubscription } from "./TypedSubscription.ts"

interface DatesPreviewProps {
  /** Null: a new one. */
  readonly subscription: ShownSubscription | null
  readonly before: TypedSubscription
  readonly typed: TypedSubscription
}

const useDates = ({ subscription, before, typed }: DatesPreviewProps) => {
  const { params, query } = useGiven()
  const id = subscription?.id ?? null
  const body = id === null ? scheduleOfTyped(typed) : scheduleChanges(before, typed)
  return useQuery({
    queryKey: ["POST /panel/orgs/:organizationId/subscription-preview", { params, query, id, body }],
    queryFn: ({ signal }) =>
      id === null
        ? ask(
            "POST /panel/orgs/:organizationId/subscription-preview",
            { params, query, body: scheduleOfTyped(typed) },
            { signal }
          )
        : ask(
            "POST /panel/orgs/:organizationId/subscriptions/:id/preview",
            { params: { ...params, id }, query, body: scheduleChanges(before, typed) },
            { signal }
          ),
    enabled: scheduleFault(typed) === null,
    placeholderData: keepPreviousData
  })
}

/** The dates, five at most. What is refused has none, and is told when it is sent. */
export const DatesPreview = (props: DatesPreviewProps) => {
  const words = useSubscriptionsTexts()
  const { language } = useWords()
  const { data, error, isPlaceholderData } = useDates(props)
  const dates = error === null ? (data?.dates ?? null) : []
  return (
    <section className={styles["preview"]} aria-label={words.preview} aria-busy={isPlaceholderData || undefined}>
      <h3>{words.preview}</h3>
      {dates?.length === 0 && <p>{words.previewNone}</p>}
      {dates !== null && dates.length > 0 && (
        <ol>
          {dates.map((each) => (
            <li key={each}>{instant(Date.parse(each), language)}</li>
          ))}
        </ol>
      )}
    </section>
  )
}
