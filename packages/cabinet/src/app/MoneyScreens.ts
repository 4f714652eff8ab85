/** Screens of money that has moved, each loaded with its words when it is opened. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { refundsTexts } from "../texts/Refunds.ts"
import { languageNow } from "../texts/Translation.ts"

/** Refunds over all invoices. */
export const refundsScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Refunds.tsx"), refundsTexts(languageNow())]))[0],
    "Refunds"
  )
