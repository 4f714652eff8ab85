/** The words of the console in Russian. */

import type { OperatorTexts } from "./OperatorTexts.ts"
import { russianPlatform } from "./RussianPlatform.ts"

/** The texts of the console in Russian. */
export const russianOperator: OperatorTexts = {
  platform: russianPlatform,
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
  },
  merchants: {
    title: "Организации",
    text: "Все организации, сначала новые. Данных их покупателей здесь нет.",
    hint: "Начало названия, идентификатора, БИН или телефона владельца",
    active: "действует",
    archived: "в архиве",
    owner: "Владелец",
    tariff: "Тариф",
    endless: "без срока",
    used: "Боевых счетов сегодня / за месяц",
    counts: "Участники / ключи / кассиры",
    grant: "Выдать тариф",
    grantText: "Бесплатно. Тот же тариф продлевается.",
    months: "Месяцев (пусто: без срока)",
    archive: "В архив",
    archiveText: "Ключи перестанут действовать, участники не смогут войти.",
    restore: "Вернуть из архива",
    restoreText: "Ключи и участники снова смогут работать."
  },
  looks: {
    title: "Счета",
    one: "Посмотреть счёт",
    text: "Счета принадлежат организации. Напишите, зачем вам нужен счёт: владелец прочтёт это в журнале.",
    invoice: "Идентификатор счёта",
    reason: "Причина",
    reasonHint: "Не меньше 10 символов",
    look: "Посмотреть",
    amount: "Сумма",
    description: "Описание",
    customer: "Покупатель",
    made: "Создан"
  }
}
