/** Errors of the console of those who run the platform. */
import { final } from "./CatalogEntry.ts"

/** Codes of the console. */
export const console = {
  ...final(404, {
    account_not_found: ["Мұндай аккаунт жоқ.", "Такого аккаунта нет.", "There is no such account."]
  })
} as const
