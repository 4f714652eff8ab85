/** Screens of the person's own in an organization, each loaded with its words when it is opened. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { notificationsTexts } from "../texts/Notifications.ts"
import { languageNow } from "../texts/Translation.ts"

/** What the person is told of. */
export const notificationsScreen = () =>
  lazyRouteComponent(
    async () => (await Promise.all([import("../screens/Notifications.tsx"), notificationsTexts(languageNow())]))[0],
    "Notifications"
  )
