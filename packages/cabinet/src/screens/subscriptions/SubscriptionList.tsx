/** The subscriptions of an organization: what they bring, and each with its schedule and its state. */
import { useSearch } from "@tanstack/react-router"
import { useHere } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { isNarrowed, type SubscriptionFilter, subscriptionsIn } from "../../app/SubscriptionFilter.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import segments from "../../parts/Segments.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { useFilterChange } from "./FilterChange.ts"
import { NewSubscription } from "./NewSubscription.tsx"
import { useSubscriptions } from "./Subscription.ts"
import { SubscriptionRow } from "./SubscriptionRow.tsx"
import { SubscriptionSearch } from "./SubscriptionSearch.tsx"
import styles from "./Subscriptions.module.css"
import { Sums } from "./Sums.tsx"
import { useSubscriptionsTexts } from "./Texts.ts"

const SubscriptionCalendar = loadedPart(
  () => import("./SubscriptionCalendar.tsx").then(({ SubscriptionCalendar }) => SubscriptionCalendar),
  () => <Skeleton lines={8} tall />
)

/** The screen. */
export const SubscriptionList = () => {
  const words = useSubscriptionsTexts()
  const filter = subscriptionsIn(useSearch({ strict: false }))
  const mayChange = useMay()("subscriptions:change") !== null
  useTitle(words.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{words.title}</h1>
        {mayChange && <NewSubscription />}
      </header>
      <p className={styles["text"]}>{words.text}</p>
      <Sums />
      <Views filter={filter} />
      {filter.view === "calendar" ? (
        <SubscriptionCalendar filter={filter} />
      ) : (
        <>
          <SubscriptionSearch filter={filter} />
          <All filter={filter} />
        </>
      )}
    </div>
  )
}

const Views = ({ filter }: { readonly filter: SubscriptionFilter }) => {
  const { views } = useSubscriptionsTexts()
  const change = useFilterChange(filter)
  return (
    <div>
      <fieldset className={segments["segments"]}>
        <legend className="visually-hidden">{views.view}</legend>
        {(["list", "calendar"] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === (filter.view ?? "list")}
            onClick={() => change({ view: each, from: "", day: "" }, true)}
          >
            {views[each]}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

const All = ({ filter }: { readonly filter: SubscriptionFilter }) => {
  const words = useSubscriptionsTexts()
  const { texts } = useWords()
  const { mode } = useHere()
  const found = useSubscriptions(filter)
  const { subscriptions, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = found
  const [none, noneText] = isNarrowed(filter) ? [words.noMatch, words.noMatchText] : [words.none, words.noneText]
  return (
    <>
      {error !== null && <Refused failure={error} />}
      {subscriptions === null && error === null && <Skeleton lines={6} tall />}
      {subscriptions?.length === 0 && !isPlaceholderData && <Card title={none} text={noneText} />}
      {subscriptions !== null && subscriptions.length > 0 && (
        <Card title={texts.shell[mode]}>
          <div className={styles["list"]} aria-busy={isPlaceholderData || undefined}>
            <ul className={rows["rows"]}>
              {subscriptions.map((each) => (
                <SubscriptionRow key={each.id} subscription={each} />
              ))}
            </ul>
            {hasNextPage && (
              <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
                {words.older}
              </Button>
            )}
          </div>
        </Card>
      )}
    </>
  )
}
