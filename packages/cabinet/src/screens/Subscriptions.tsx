/** Subscriptions. The screens are one file, so that what they share is loaded with no other screen. */
import { useParams } from "@tanstack/react-router"
import { SubscriptionDetail } from "./subscriptions/SubscriptionDetail.tsx"
import { SubscriptionList } from "./subscriptions/SubscriptionList.tsx"

/** The list, or the subscription that the address names. */
export const Subscriptions = () => {
  const { subscriptionId } = useParams({ strict: false })
  return subscriptionId === undefined ? <SubscriptionList /> : <SubscriptionDetail subscriptionId={subscriptionId} />
}
