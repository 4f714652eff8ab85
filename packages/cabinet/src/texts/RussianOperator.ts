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
    isOperator: "Управляет платформой",
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
  earnings: {
    title: "Начисления",
    text: "Те, кто привёл организации, и сколько им ещё нужно выплатить.",
    unpaid: "К выплате",
    paid: "Выплачено",
    nothing: "Выплачивать нечего",
    nothingText: "Как только приведённая организация оплатит тариф, здесь появится тот, кто её привёл.",
    nothingOfOne: "Всё начисленное этому человеку выплачено.",
    oldest: "Сначала старые: с них начинается выплата.",
    count: (count) => `Оплат: ${count}`,
    person: "Аккаунт этого человека",
    pay: "Отметить выплату",
    payText: (amount, count) =>
      `Сначала выплатите ${amount} переводом или наличными: здесь деньги не движутся. За сколько оплат: ${count}.`,
    note: "Как выплачено",
    noteHint: "Например, банк и номер перевода",
    noted: "Выплата отмечена",
    payouts: "Выплаты",
    noPayouts: "Пока не было."
  },
  tariffs: {
    title: "Тарифы",
    catalogue: "Тарифы и цены",
    text: "Задаются в настройках сервера (settings.tariffs в tolem.config.ts) и действуют после перезапуска.",
    enforced: "Ограничения действуют.",
    notEnforced: "Ограничения не действуют: счетов можно выставлять сколько угодно.",
    share: (percent) => `За каждую оплату тарифа тому, кто привёл организацию, начисляется ${percent} %.`,
    partner: "для партнёров",
    limits: (month, day) => `боевых счетов в месяц: ${month}, в день: ${day}`,
    monthly: (price) => `${price} в месяц`,
    notSold: "не продаётся"
  },
  journal: {
    title: "Журнал",
    text: "Кто, что, когда и откуда сделал на платформе. Того, что ввели участники организаций, здесь нет.",
    organization: "Организация",
    ofPerson: "Действия этого человека",
    ofMerchant: "Журнал",
    operator: (name) => `Оператор ${name}`,
    kinds: {
      accounts: "Люди",
      sessions: "Входы и сессии",
      operators: "Операторы",
      payouts: "Выплаты",
      sealing: "Печати"
    },
    actions: {
      "account.blocked": "Человек заблокирован",
      "account.unblocked": "Человек разблокирован",
      "account.email_noted": "Записана почта человека",
      "account.email_confirmed": "Человек подтвердил свою почту",
      "account.email_removed": "Человек убрал свою почту",
      "account.renamed": "Человек изменил имя",
      "messenger.linked": "Чат начат",
      "messenger.ended": "Чат завершён",
      "login.succeeded": "Человек вошёл",
      "login.failed": "Вход отклонён",
      "session.ended": "Сессия завершена",
      "session.confirmed": "Сессия подтверждена новым кодом",
      "earning.paid_out": "Отмечена выплата",
      "sealing.begun": "Начато опечатывание",
      "operator.granted": "Человек стал оператором",
      "operator.ended": "Человек больше не оператор"
    },
    labels: { accountId: "кому" },
    values: {
      invalid_code: "неверный код",
      account_blocked: "человек заблокирован",
      left: "в кабинете",
      stopped: "в чате",
      blocked: "бот заблокирован"
    }
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
