/** The console of those who run the platform: its frame and screens, loaded with the words when it is opened. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { journalTexts } from "../texts/Journal.ts"
import { operatorTexts } from "../texts/Operator.ts"
import { languageNow } from "../texts/Translation.ts"

// One file for all: each that is loaded apart would have what it shares with merchants' screens moved to theirs.
const console = async () => (await Promise.all([import("../screens/Operator.tsx"), operatorTexts(languageNow())]))[0]

/** What surrounds each screen of the console, or one of its screens. */
export const consoleScreen = (
  name: "Operator" | "People" | "Merchants" | "Tariffs" | "Earnings" | "Look" | "Health" | "Work"
) => lazyRouteComponent(console, name)

/** Its journal, which has words in common with the journals of organizations. */
export const platformJournalScreen = () =>
  lazyRouteComponent(async () => (await Promise.all([console(), journalTexts(languageNow())]))[0], "PlatformJournal")
