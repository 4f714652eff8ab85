/** The words of the screens, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { linksTexts } from "../../texts/Links.ts"
import type { LinksTexts } from "../../texts/LinksTexts.ts"

/** The words. What is inside waits for them. */
export const useLinksTexts = (): LinksTexts => useLoadedTexts(linksTexts)
