/** The words of the screen, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { developersTexts } from "../../texts/Developers.ts"
import type { DevelopersTexts } from "../../texts/DevelopersTexts.ts"

/** The words. What is inside waits for them. */
export const useTexts = (): DevelopersTexts => useLoadedTexts(developersTexts)
