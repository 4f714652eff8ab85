/** The words of the console, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { operatorTexts } from "../../texts/Operator.ts"
import type { OperatorTexts } from "../../texts/OperatorTexts.ts"

/** The words. What is inside waits for them. */
export const useOperatorTexts = (): OperatorTexts => useLoadedTexts(operatorTexts)
