/** Errors of the console of those who run the platform. */
import { final } from "./CatalogEntry.ts"

/** Codes of the console. */
export const console = {
  ...final(404, {
    work_kind_not_found: ["Мұндай жұмыс түрі жоқ.", "Такого вида работы нет.", "There is no such kind of work."],
    account_not_found: ["Мұндай аккаунт жоқ.", "Такого аккаунта нет.", "There is no such account."]
  })
} as const
