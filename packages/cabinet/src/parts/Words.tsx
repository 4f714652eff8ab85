/** The words of the page's language, for every component. */
import { createContext, type ReactNode, startTransition, use, useCallback, useMemo, useState } from "react"
import type { LoadedTexts } from "../texts/LoadedTexts.ts"
import type { Texts } from "../texts/Texts.ts"
import { chooseLanguage, type Language, type Translation } from "../texts/Translation.ts"
import { workTexts } from "../texts/Work.ts"
import type { WorkTexts } from "../texts/WorkTexts.ts"

interface Spoken extends Translation {
  readonly choose: (language: Language) => void
}

interface SpokenAtWork extends Omit<Spoken, "texts"> {
  readonly texts: Texts & WorkTexts
}

const WordsContext = createContext<Spoken | null>(null)
const WorkContext = createContext<SpokenAtWork | null>(null)

/** Gives the first words to what is inside, and lets the language be chosen. */
export const Words = ({ first, children }: { readonly first: Translation; readonly children: ReactNode }) => {
  const [translation, setTranslation] = useState(first)
  // What is shown stays in the language before until all words of the new one are there.
  const choose = useCallback(
    (language: Language) => void chooseLanguage(language).then((next) => startTransition(() => setTranslation(next))),
    []
  )
  const spoken = useMemo(() => ({ ...translation, choose }), [translation, choose])
  return <WordsContext value={spoken}>{children}</WordsContext>
}

/**
 * Words, without a wait if they are loaded: React shows nothing new within 300 ms of a wait, even of one for a promise
 * that is fulfilled already.
 */
const loadedIn = <T,>(texts: LoadedTexts<T>, language: Language): T => texts.now(language) ?? use(texts(language))

/** Gives all words to what is inside: the cabinet of a person who is logged in. */
export const WorkWords = ({ children }: { readonly children: ReactNode }) => {
  const spoken = useFirstWords()
  const work = loadedIn(workTexts, spoken.language)
  const all = useMemo(() => ({ ...spoken, texts: { ...spoken.texts, ...work } }), [spoken, work])
  return <WorkContext value={all}>{children}</WorkContext>
}

/** The words that are there from the first moment on, and the way to choose a language. */
export const useFirstWords = (): Spoken => {
  const spoken = use(WordsContext)
  if (spoken === null) throw new Error("no words are given here")
  return spoken
}

/** All words, and the way to choose others. */
export const useWords = (): SpokenAtWork => {
  const spoken = use(WorkContext)
  if (spoken === null) throw new Error("the words of work are not given here")
  return spoken
}

/** The words of a part of the cabinet, in the language of the page. What is inside waits for them. */
export const useLoadedTexts = <T,>(texts: LoadedTexts<T>): T => loadedIn(texts, useWords().language)
