/** Screens that speak of webhooks, each loaded with the words of these when it is opened. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { developersTexts } from "../texts/Developers.ts"
import { languageNow } from "../texts/Translation.ts"
import { webhooksTexts } from "../texts/Webhooks.ts"

/** All endpoints. */
export const webhooksScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Webhooks.tsx"), webhooksTexts(languageNow())]))[0],
    "Webhooks"
  )

/** One endpoint, with what was sent to it. */
export const webhookScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Webhook.tsx"), webhooksTexts(languageNow())]))[0],
    "Webhook"
  )

/** An invoice, with what was sent of it. */
export const invoiceScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Invoice.tsx"), webhooksTexts(languageNow())]))[0],
    "Invoice"
  )

/** What developers try, whose events have names there. */
export const developersScreen = () =>
  lazyRouteComponent(async () => {
    const language = languageNow()
    const loading = [import("../screens/Developers.tsx"), developersTexts(language), webhooksTexts(language)] as const
    return (await Promise.all(loading))[0]
  }, "Developers")
