/** The words of subscriptions in Russian. */
import type { ScheduleParts, SubscriptionsTexts } from "./SubscriptionsTexts.ts"

const weekdays = "воскресеньям понедельникам вторникам средам четвергам пятницам субботам".split(" ")
const months = "Январь Февраль Март Апрель Май Июнь Июль Август Сентябрь Октябрь Ноябрь Декабрь".split(" ")

const steps = {
  day: ["каждый день", "дня", "дней"],
  week: ["каждую неделю", "недели", "недель"],
  month: ["каждый месяц", "месяца", "месяцев"]
} as const

const schedule = ({ interval, every, day, weekday, time }: ScheduleParts): string => {
  const [one, few, many] = steps[interval]
  const how = every === 1 ? one : `каждые ${every} ${every < 5 ? few : many}`
  if (interval === "month") return `${how}, ${day}-го числа в ${time}`
  return interval === "week" ? `${how}, по ${weekdays[weekday]} в ${time}` : `${how} в ${time}`
}

/** The words. */
export const russianSubscriptions: SubscriptionsTexts = {
  title: "Подписки",
  text: "Счета, которые выставляются сами в свои дни.",
  create: "Новая подписка",
  none: "Подписок пока нет",
  noneText: "Создайте подписку для клуба, аренды или курса: счета выставятся в свои дни и уйдут клиенту.",
  noMatch: "Ничего не найдено",
  noMatchText: "Ни одна подписка не подходит. Измените или сбросьте фильтр.",
  back: "Все подписки",
  nameless: "Без названия",
  states: { active: "Активна", paused: "На паузе", cancelled: "Отменена", finished: "Завершена" },
  stuck: "Застряла",
  views: { view: "Вид", list: "Список", calendar: "Календарь" },
  filter: {
    name: "Фильтр",
    search: "Поиск",
    status: "Статус",
    all: "Все",
    stuck: "Только застрявшие",
    reset: "Сбросить"
  },
  older: "Показать ещё",
  sums: {
    title: "Сколько приносят",
    active: "Активных",
    monthly: "В месяц",
    soon: "Ближайшие 30 дней",
    stuck: "Застряло"
  },
  soon: (runs, sum) => `${sum} · ${runs}`,
  schedule,
  next: (when) => `следующий счёт: ${when}`,
  calendar: {
    title: "Календарь",
    text: "Счета, которые ожидаются с этого момента, если ничто не помешает.",
    before: "Предыдущий месяц",
    after: "Следующий месяц",
    none: "В этом месяце счетов не ожидается.",
    noneOfDay: "В этот день счетов не ожидается.",
    more: "Показать ещё",
    looking: "Ищем дальше…"
  },
  month: (year, month) => `${months[month - 1]} ${year}`,
  weekdays: ["Пн", "Вт", "Ср", "Чт", "Пт", "Сб", "Вс"],
  invoices: (count) => `счетов: ${count}`,
  facts: {
    title: "Подписка",
    amount: "Сумма",
    schedule: "Расписание",
    customer: "Клиент",
    kind: "Оплата",
    qr: "QR-код или ссылка",
    push: "Счёт на телефон",
    made: "Выставлено счетов",
    retry: "Если не оплачен",
    cashier: "Кассир",
    defaultCashier: "основной",
    upcoming: "Ближайшие даты",
    noUpcoming: "Нет"
  },
  madeOf: (runs, most) => (most === null ? runs : `${runs} из ${most}`),
  retryAfter: (hours) => `снова через ${hours} ч`,
  history: {
    title: "Выставленные счета",
    none: "Счетов ещё не было.",
    outOfSchedule: "вне расписания",
    older: "Более ранние",
    caption: "Сначала новые, со всеми попытками."
  },
  run: (number) => `Счёт № ${number}`,
  tryOf: (number, of) => `попытка ${number} из ${of}`,
  againAt: (when) => `следующая попытка ${when}`,
  offeredAt: (when) => `платёжная система будет запрошена снова ${when}`,
  stuckTitle: "Следующий счёт не удаётся выставить",
  stuckSince: (since, tries, next) =>
    `Должен был выставиться ${since}; попыток: ${tries}.${next === null ? "" : ` Следующая: ${next}.`}`,
  toDo: {
    live: "Организация в песочнице. Включите боевой режим: счёт выставится сам.",
    cashier: "Нет работающего кассира. Войдите за него в разделе «Кассиры» или выберите основным другого.",
    session: "Сессия кассира закончилась. Войдите за него снова в разделе «Кассиры».",
    quota: "Лимит тарифа исчерпан. Возьмите больший тариф или дождитесь следующего дня или месяца.",
    provider: "Платёжная система отказала или не отвечает. Мы повторяем сами; если не проходит, обратитесь к ней.",
    sandbox: "Песочница сегодня выставила столько счетов, сколько может. Завтра продолжит.",
    other: "Мы повторяем сами. Если не проходит, устраните названную причину."
  },
  change: "Изменить",
  pause: "Приостановить",
  resume: "Возобновить",
  runNow: "Выставить счёт сейчас",
  cancel: "Отменить подписку",
  cancelText: "Счета больше не выставляются, возобновить её нельзя. Уже выставленные можно оплатить.",
  paused: "Подписка приостановлена.",
  resumed: "Подписка возобновлена.",
  ran: "Счёт выставлен.",
  cancelled: "Подписка отменена.",
  made: "Подписка создана.",
  saved: "Сохранено.",
  fields: {
    amount: "Сумма, ₸",
    description: "За что",
    kind: "Оплата",
    name: "Имя клиента",
    phone: "Телефон",
    email: "Эл. почта",
    interval: "Период",
    every: "Каждые",
    dayOfMonth: "День месяца",
    startAt: "Первая дата",
    nextRunAt: "Следующая дата",
    maxRuns: "Сколько счетов",
    retry: "Повторить, если не оплачен, через часов",
    misfire: "Если даты пропущены",
    cashier: "Кассир"
  },
  hints: {
    email: "Сюда придут счета.",
    dayOfMonth: "От 1 до 28, в 10:00 по Алматы. Пусто: день и время первой даты.",
    startAt: "По времени Алматы. Пусто: сейчас.",
    maxRuns: "Пусто: без конца.",
    retry: "До пяти чисел, например 24, 72."
  },
  intervals: { day: "День", week: "Неделя", month: "Месяц" },
  misfires: { run_once: "Один счёт за все", skip: "Счёта за них не будет" },
  metadata: {
    title: "Свои данные",
    text: "Хранятся в подписке и в каждом её счёте, для ваших программ.",
    add: "Добавить пару",
    nameless: "Укажите название.",
    twice: "Такое название уже есть.",
    tooMuch: "Это больше, чем можно хранить. Сократите.",
    name: (number) => `Название ${number}`,
    value: (number) => `Значение ${number}`,
    remove: (number) => `Удалить пару ${number}`
  },
  more: "Ещё",
  preview: "Ближайшие даты",
  previewNone: "Дат нет",
  amountWrong: "Укажите сумму.",
  whole: "Укажите целые числа."
}
