/** The words of the screen, in the language of the page. */
import { use } from "react"
import { useWords } from "../../parts/Words.tsx"
import { notificationsTexts } from "../../texts/Notifications.ts"
import type { NotificationsTexts } from "../../texts/NotificationsTexts.ts"

/** The words. What is inside waits for them. */
export const useNotificationsTexts = (): NotificationsTexts => use(notificationsTexts(useWords().language))
