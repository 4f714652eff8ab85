/** Errors of the console of those who run the platform. */
import { final } from "./CatalogEntry.ts"

/** Codes of the console. */
export const console = {
  ...final(404, {
    work_kind_not_found: ["Мұндай жұмыс түрі жоқ.", "Такого вида работы нет.", "There is no such kind of work."],
    account_not_found: ["Мұндай аккаунт жоқ.", "Такого аккаунта нет.", "There is no such account."],
    organization_not_found: ["Мұндай ұйым жоқ.", "Такой организации нет.", "There is no such organization."]
  }),
  ...final(409, {
    earnings_changed: [
      "Табыс сіз оқығаннан кейін өзгерді. Қайта оқып, қайталаңыз.",
      "Начисления изменились после того, как вы их прочли. Прочтите снова и повторите.",
      "The earnings have changed since you read them. Read them again, then try again."
    ]
  }),
  ...final(422, {
    invalid_payout_note: [
      "Ескертпе 1–300 таңба болуы керек: қалай төленгенін жазыңыз.",
      "Примечание — от 1 до 300 символов: напишите, как выплачено.",
      "The note must have 1 to 300 characters: say how it was paid."
    ],
    invalid_months: [
      "months 1-ден 120-ға дейінгі бүтін сан немесе null болуы керек.",
      "months — целое число от 1 до 120 или null.",
      "months must be a whole number from 1 to 120, or null."
    ],
    invalid_look_reason: [
      "Себеп 10–300 таңба болуы керек: оны ұйым иесі көреді.",
      "Причина — от 10 до 300 символов: её увидит владелец организации.",
      "The reason must have 10 to 300 characters: the owner of the organization reads it."
    ]
  })
} as const
