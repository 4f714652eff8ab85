/** Screens of what sells by itself, each loaded with its words when it is opened. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { bulkTexts } from "../texts/Bulk.ts"
import { formsTexts } from "../texts/Forms.ts"
import { linksTexts } from "../texts/Links.ts"
import { languageNow } from "../texts/Translation.ts"

/** Invoices of a file. */
export const bulkScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Bulk.tsx"), bulkTexts(languageNow())]))[0],
    "Bulk"
  )

/** Payment links, all or one. */
export const linksScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Links.tsx"), linksTexts(languageNow())]))[0],
    "Links"
  )

/** Form hooks, all or one. */
export const formsScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Forms.tsx"), formsTexts(languageNow())]))[0],
    "Forms"
  )
