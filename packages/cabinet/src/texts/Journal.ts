/** The words of the journal, loaded with its screen: no other screen has to wait for them. */
import type { JournalTexts } from "./JournalTexts.ts"
import { loadedOnce } from "./LoadedTexts.ts"

/** The words of a language, loaded once. */
export const journalTexts = loadedOnce<JournalTexts>({
  kk: () => import("./KazakhJournal.ts").then(({ kazakhJournal }) => kazakhJournal),
  ru: () => import("./RussianJournal.ts").then(({ russianJournal }) => russianJournal),
  en: () => import("./EnglishJournal.ts").then(({ englishJournal }) => englishJournal)
})
