/** The words of the console of those who run the platform, loaded with it: no other screen has to wait for them. */
import { loadedOnce } from "./LoadedTexts.ts"
import type { OperatorTexts } from "./OperatorTexts.ts"

/** The words of a language, loaded once. */
export const operatorTexts = loadedOnce<OperatorTexts>({
  kk: () => import("./KazakhOperator.ts").then(({ kazakhOperator }) => kazakhOperator),
  ru: () => import("./RussianOperator.ts").then(({ russianOperator }) => russianOperator),
  en: () => import("./EnglishOperator.ts").then(({ englishOperator }) => englishOperator)
})
