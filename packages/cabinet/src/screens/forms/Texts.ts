/** The words of the screens, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { formsTexts } from "../../texts/Forms.ts"
import type { FormsTexts } from "../../texts/FormsTexts.ts"

/** The words. What is inside waits for them. */
export const useFormsTexts = (): FormsTexts => useLoadedTexts(formsTexts)
