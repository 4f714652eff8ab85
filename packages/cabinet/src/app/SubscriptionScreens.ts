/** Screens of subscriptions, loaded with their words when they are opened. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { subscriptionsTexts } from "../texts/Subscriptions.ts"
import { languageNow } from "../texts/Translation.ts"

/** Subscriptions: their list, or one of them. */
export const subscriptionsScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Subscriptions.tsx"), subscriptionsTexts(languageNow())]))[0],
    "Subscriptions"
  )
