/** The words of invitations in Russian. */
import type { InvitationsTexts } from "./InvitationsTexts.ts"

/** The texts of invitations in Russian. */
export const russianInvitations: InvitationsTexts = {
  invite: "Пригласить",
  about: "Человек войдёт с этим номером и увидит приглашение. Сообщение ему не отправляется.",
  phone: "Телефон человека",
  send: "Пригласить",
  made: "Приглашение готово",
  tell: (phone) => `Попросите войти сюда с номером ${phone}. Приглашение ждёт семь дней.`,
  copy: "Скопировать адрес",
  share: "Поделиться",
  done: "Готово",
  title: "Приглашения",
  listed: "Человек в команде, когда вошёл с этим номером и согласился.",
  until: (day) => `действует до ${day}`,
  statuses: {
    pending: "ждёт ответа",
    accepted: "принято",
    declined: "отклонено",
    withdrawn: "отозвано",
    expired: "срок истёк"
  },
  withdraw: "Отозвать",
  withdrawn: "Приглашение отозвано",
  yours: "Вас приглашают",
  yoursText: "Принимайте только то, чего ждёте: спросите того, кто приглашает.",
  accept: "Принять",
  decline: "Отклонить",
  joined: (name) => `Вы в команде: ${name}`
}
