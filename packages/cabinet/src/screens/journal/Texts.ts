/** The words of the screen, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { journalTexts } from "../../texts/Journal.ts"
import type { JournalTexts } from "../../texts/JournalTexts.ts"

/** The words. What is inside waits for them. */
export const useJournalTexts = (): JournalTexts => useLoadedTexts(journalTexts)
