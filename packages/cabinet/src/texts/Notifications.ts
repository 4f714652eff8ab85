/** The words of notifications, loaded with their screen. */
import { loadedOnce } from "./LoadedTexts.ts"
import type { NotificationsTexts } from "./NotificationsTexts.ts"

/** The words of a language, loaded once. */
export const notificationsTexts = loadedOnce<NotificationsTexts>({
  kk: () => import("./KazakhNotifications.ts").then(({ kazakhNotifications }) => kazakhNotifications),
  ru: () => import("./RussianNotifications.ts").then(({ russianNotifications }) => russianNotifications),
  en: () => import("./EnglishNotifications.ts").then(({ englishNotifications }) => englishNotifications)
})
