/** The words of the screen, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { refundsTexts } from "../../texts/Refunds.ts"
import type { RefundsTexts } from "../../texts/RefundsTexts.ts"

/** The words. What is inside waits for them. */
export const useRefundsTexts = (): RefundsTexts => useLoadedTexts(refundsTexts)
