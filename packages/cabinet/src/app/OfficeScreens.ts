/** Screens of those who look after a business, each loaded with its words when it is opened. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { clientsTexts } from "../texts/Clients.ts"
import { journalTexts } from "../texts/Journal.ts"
import { languageNow } from "../texts/Translation.ts"

/** The journal: what was done, and who did it. */
export const journalScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Journal.tsx"), journalTexts(languageNow())]))[0],
    "Journal"
  )

/** Clients of a partner, all or one. */
export const clientsScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Clients.tsx"), clientsTexts(languageNow())]))[0],
    "Clients"
  )
