/** The words of webhooks, in the language of the page. */
import { webhooksTexts } from "../texts/Webhooks.ts"
import type { WebhooksTexts } from "../texts/WebhooksTexts.ts"
import { useLoadedTexts } from "./Words.tsx"

/** The words. What is inside waits for them. */
export const useWebhooksTexts = (): WebhooksTexts => useLoadedTexts(webhooksTexts)
