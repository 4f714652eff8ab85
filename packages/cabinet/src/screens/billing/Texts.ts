/** The words of the screen, in the language of the page. */
import { use } from "react"
import { useWords } from "../../parts/Words.tsx"
import { billingTexts } from "../../texts/Billing.ts"
import type { BillingTexts } from "../../texts/BillingTexts.ts"

/** The words. What is inside waits for them. */
export const useBillingTexts = (): BillingTexts => use(billingTexts(useWords().language))
