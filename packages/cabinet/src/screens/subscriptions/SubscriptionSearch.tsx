/** Narrows the list down: by text, by status, to those that are stuck. */
import { isNarrowed, type SubscriptionFilter, subscriptionStatuses } from "../../app/SubscriptionFilter.ts"
import { Button } from "../../parts/Button.tsx"
import { CheckField, SelectField } from "../../parts/Choice.tsx"
import { TypedField } from "../invoices/TypedField.tsx"
import { useFilterChange } from "./FilterChange.ts"
import styles from "./Subscriptions.module.css"
import { useSubscriptionsTexts } from "./Texts.ts"

const longest = 200

/** The fields. */
export const SubscriptionSearch = ({ filter }: { readonly filter: SubscriptionFilter }) => {
  const { filter: words, states } = useSubscriptionsTexts()
  const narrow = useFilterChange(filter)
  return (
    <search className={styles["filter"]} aria-label={words.name}>
      <TypedField
        label={words.search}
        type="search"
        maxLength={longest}
        value={filter.search ?? ""}
        onFind={(search) => narrow({ search })}
      />
      <SelectField
        label={words.status}
        value={filter.status ?? ""}
        onChange={({ currentTarget }) => narrow({ status: currentTarget.value })}
      >
        <option value="">{words.all}</option>
        {subscriptionStatuses.map((each) => (
          <option key={each} value={each}>
            {states[each]}
          </option>
        ))}
      </SelectField>
      <CheckField
        label={words.stuck}
        checked={filter.stuck !== undefined}
        onChange={({ currentTarget }) => narrow({ stuck: currentTarget.checked ? "1" : "" })}
      />
      {isNarrowed(filter) && (
        <Button look="plain" isSmall onClick={() => narrow({ search: "", status: "", stuck: "" })}>
          {words.reset}
        </Button>
      )}
    </search>
  )
}
