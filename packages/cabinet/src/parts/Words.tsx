/** The words of the page's language, for every component. */
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from "react"
import { chooseLanguage, type Language, type Translation } from "../texts/Translation.ts"

interface Spoken extends Translation {
  readonly choose: (language: Language) => void
}

const WordsContext = createContext<Spoken | null>(null)

/** Gives the words to what is inside, and lets them be chosen. */
export const Words = ({ first, children }: { readonly first: Translation; readonly children: ReactNode }) => {
  const [translation, setTranslation] = useState(first)
  const choose = useCallback((language: Language) => void chooseLanguage(language).then(setTranslation), [])
  const spoken = useMemo(() => ({ ...translation, choose }), [translation, choose])
  return <WordsContext value={spoken}>{children}</WordsContext>
}

/** The words, and the way to choose others. */
export const useWords = (): Spoken => {
  const spoken = use(WordsContext)
  if (spoken === null) throw new Error("no words are given here")
  return spoken
}
