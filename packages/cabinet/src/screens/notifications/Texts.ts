/** The words of the screen, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { notificationsTexts } from "../../texts/Notifications.ts"
import type { NotificationsTexts } from "../../texts/NotificationsTexts.ts"

/** The words. What is inside waits for them. */
export const useNotificationsTexts = (): NotificationsTexts => useLoadedTexts(notificationsTexts)
