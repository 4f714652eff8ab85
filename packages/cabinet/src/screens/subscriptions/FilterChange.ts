/** Changes what is looked at, in the address. */
import { useNavigate } from "@tanstack/react-router"
import { type SubscriptionFilter, subscriptionsIn } from "../../app/SubscriptionFilter.ts"

/** Sets some of it; empty texts leave it out. What `isStep` says is undone by going back. */
export const useFilterChange = (filter: SubscriptionFilter) => {
  const navigate = useNavigate()
  return (part: Readonly<Partial<Record<keyof SubscriptionFilter, string>>>, isStep = false): void => {
    const next = subscriptionsIn({ ...filter, ...part })
    void navigate({
      to: ".",
      search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...next }),
      replace: !isStep
    })
  }
}
