/** The words of subscriptions, loaded with their screens. */
import { loadedOnce } from "./LoadedTexts.ts"
import type { SubscriptionsTexts } from "./SubscriptionsTexts.ts"

/** The words of a language, loaded once. */
export const subscriptionsTexts = loadedOnce<SubscriptionsTexts>({
  kk: () => import("./KazakhSubscriptions.ts").then(({ kazakhSubscriptions }) => kazakhSubscriptions),
  ru: () => import("./RussianSubscriptions.ts").then(({ russianSubscriptions }) => russianSubscriptions),
  en: () => import("./EnglishSubscriptions.ts").then(({ englishSubscriptions }) => englishSubscriptions)
})
