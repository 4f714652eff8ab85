/** The words of webhooks, loaded with what shows them. */
import { loadedOnce } from "./LoadedTexts.ts"
import type { WebhooksTexts } from "./WebhooksTexts.ts"

/** The words of a language, loaded once. */
export const webhooksTexts = loadedOnce<WebhooksTexts>({
  kk: () => import("./KazakhWebhooks.ts").then(({ kazakhWebhooks }) => kazakhWebhooks),
  ru: () => import("./RussianWebhooks.ts").then(({ russianWebhooks }) => russianWebhooks),
  en: () => import("./EnglishWebhooks.ts").then(({ englishWebhooks }) => englishWebhooks)
})
