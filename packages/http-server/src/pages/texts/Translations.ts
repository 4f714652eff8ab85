/** Finds the words of a language. */
import type { Language } from "../Language.ts"
import { english } from "./English.ts"
import { kazakh } from "./Kazakh.ts"
import { russian } from "./Russian.ts"
import type { Texts } from "./Texts.ts"

const all: Readonly<Record<Language, Texts>> = { kk: kazakh, ru: russian, en: english }

/** The words of a language. */
export const textsOf = (language: Language): Texts => all[language]
