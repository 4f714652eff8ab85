/** The words of the screens, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { subscriptionsTexts } from "../../texts/Subscriptions.ts"
import type { SubscriptionsTexts } from "../../texts/SubscriptionsTexts.ts"

/** The words. What is inside waits for them. */
export const useSubscriptionsTexts = (): SubscriptionsTexts => useLoadedTexts(subscriptionsTexts)
