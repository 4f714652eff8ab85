/** Screens of money that has moved, each loaded with its words when it is opened. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { billsTexts } from "../texts/Bills.ts"
import { reconciliationTexts } from "../texts/Reconciliation.ts"
import { refundsTexts } from "../texts/Refunds.ts"
import { reportsTexts } from "../texts/Reports.ts"
import { languageNow } from "../texts/Translation.ts"

/** Refunds over all invoices. */
export const refundsScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Refunds.tsx"), refundsTexts(languageNow())]))[0],
    "Refunds"
  )

/** What was paid, refunded and kept in a period. */
export const reportsScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Reports.tsx"), reportsTexts(languageNow())]))[0],
    "Reports"
  )

/** What the provider's own list of operations says otherwise. */
export const reconciliationScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Reconciliation.tsx"), reconciliationTexts(languageNow())]))[0],
    "Reconciliation"
  )

/** The tariff and its bills. */
export const billsScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Bills.tsx"), billsTexts(languageNow())]))[0],
    "Bills"
  )
