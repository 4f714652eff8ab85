/** The screen of the tariff, loaded with its words when it is opened. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { billingTexts } from "../texts/Billing.ts"
import { languageNow } from "../texts/Translation.ts"

/** The tariff and its bills. */
export const billingScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Billing.tsx"), billingTexts(languageNow())]))[0],
    "Billing"
  )
