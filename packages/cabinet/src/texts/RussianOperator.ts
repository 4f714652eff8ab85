/** The words of the console in Russian. */
import type { OperatorTexts } from "./OperatorTexts.ts"

/** The texts of the console in Russian. */
export const russianOperator: OperatorTexts = {
  title: "Консоль платформы",
  mark: "Консоль платформы",
  markText: "Всё, что вы делаете здесь, касается чужих организаций и записывается.",
  leave: "Назад в кабинет",
  search: "Найти",
  more: "Показать ещё",
  isCut: "Найдено больше, чем показано. Введите больше символов.",
  none: "Ничего не найдено",
  noneText: "Поищите по другому началу.",
  people: {
    title: "Люди",
    text: "Все, у кого есть аккаунт, сначала новые.",
    hint: "Начало телефона, имени или идентификатора",
    unnamed: "Без имени",
    active: "активен",
    blocked: "заблокирован",
    since: (day) => `с ${day}`,
    sessions: (count) => `Открытых сессий: ${count}`,
    isOperator: "управляет платформой",
    organizations: "Организации",
    noOrganizations: "Нет ни одной.",
    block: "Заблокировать",
    blockText: "Сессии закончатся сразу, ключи организаций этого человека перестанут действовать.",
    unblock: "Разблокировать",
    unblockText: "Человек снова сможет войти, ключи его организаций снова заработают.",
    endSessions: "Завершить сессии",
    endSessionsText: "На каждом устройстве придётся войти заново.",
    ended: (count) => `Завершено сессий: ${count}`,
    done: "Готово"
  }
}
