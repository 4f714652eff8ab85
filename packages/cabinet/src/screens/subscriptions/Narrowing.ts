/** Changes what is looked at, in the address. */
import { useNavigate } from "@tanstack/react-router"
import { type SubscriptionFilter, subscriptionsIn } from "../../app/SubscriptionFilter.ts"

/** Sets some of it; empty texts leave it out. A change of the list's filter is no step back; that of a view is. */
export const useNarrowing = (filter: SubscriptionFilter, replace: boolean) => {
  const navigate = useNavigate()
  return (part: Readonly<Partial<Record<keyof SubscriptionFilter, string>>>): void => {
    const next = subscriptionsIn({ ...filter, ...part })
    void navigate({ to: ".", search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...next }), replace })
  }
}
