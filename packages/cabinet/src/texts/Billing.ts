/** The words of the tariff and its bills, loaded with its screen. */
import type { BillingTexts } from "./BillingTexts.ts"
import { loadedOnce } from "./LoadedTexts.ts"

/** The words of a language, loaded once. */
export const billingTexts = loadedOnce<BillingTexts>({
  kk: () => import("./KazakhBilling.ts").then(({ kazakhBilling }) => kazakhBilling),
  ru: () => import("./RussianBilling.ts").then(({ russianBilling }) => russianBilling),
  en: () => import("./EnglishBilling.ts").then(({ englishBilling }) => englishBilling)
})
