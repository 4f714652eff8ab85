/** The words of subscriptions in Kazakh. */
import type { ScheduleParts, SubscriptionsTexts } from "./SubscriptionsTexts.ts"

const weekdays = "жексенбі дүйсенбі сейсенбі сәрсенбі бейсенбі жұма сенбі".split(" ")
const months = "Қаңтар Ақпан Наурыз Сәуір Мамыр Маусым Шілде Тамыз Қыркүйек Қазан Қараша Желтоқсан".split(" ")

const steps = { day: ["күн сайын", "күнде"], week: ["апта сайын", "аптада"], month: ["ай сайын", "айда"] } as const

const schedule = ({ interval, every, day, weekday, time }: ScheduleParts): string => {
  const [one, many] = steps[interval]
  const how = every === 1 ? one : `әр ${every} ${many}`
  if (interval === "month") return `${how}, айдың ${day}-күні, сағат ${time}`
  return interval === "week" ? `${how}, ${weekdays[weekday]} күні, сағат ${time}` : `${how}, сағат ${time}`
}

/** The words. */
export const kazakhSubscriptions: SubscriptionsTexts = {
  title: "Жазылымдар",
  text: "Өз күндерінде өздігінен шығатын шоттар.",
  create: "Жаңа жазылым",
  none: "Жазылымдар әлі жоқ",
  noneText: "Клуб, жалдау немесе курс үшін жазылым жасаңыз: шоттар өз күндерінде шығып, клиентке жіберіледі.",
  noMatch: "Ештеңе табылмады",
  noMatchText: "Сәйкес жазылым жоқ. Сүзгіні өзгертіңіз немесе тазалаңыз.",
  back: "Барлық жазылымдар",
  nameless: "Атаусыз",
  states: { active: "Белсенді", paused: "Тоқтатылған", cancelled: "Бас тартылған", finished: "Аяқталған" },
  stuck: "Тұрып қалды",
  views: { view: "Көрініс", list: "Тізім", calendar: "Күнтізбе" },
  filter: {
    name: "Сүзгі",
    search: "Іздеу",
    status: "Күйі",
    all: "Барлығы",
    stuck: "Тек тұрып қалғандар",
    reset: "Тазалау"
  },
  older: "Тағы көрсету",
  sums: {
    title: "Қанша әкеледі",
    active: "Белсенді",
    monthly: "Айына",
    soon: "Алдағы 30 күн",
    stuck: "Тұрып қалған"
  },
  soon: (runs, sum) => `${sum} · ${runs}`,
  schedule,
  next: (when) => `келесі шот: ${when}`,
  calendar: {
    title: "Күнтізбе",
    text: "Осы сәттен бастап күтілетін шоттар, егер ештеңе кедергі болмаса.",
    before: "Алдыңғы ай",
    after: "Келесі ай",
    none: "Бұл айда шот күтілмейді.",
    noneOfDay: "Бұл күні шот күтілмейді.",
    more: "Тағы көрсету",
    looking: "Әрі қарай іздеп жатырмыз…"
  },
  month: (year, month) => `${months[month - 1]} ${year}`,
  weekdays: ["Дс", "Сс", "Ср", "Бс", "Жм", "Сб", "Жс"],
  invoices: (count) => `шоттар: ${count}`,
  facts: {
    title: "Жазылым",
    amount: "Сома",
    schedule: "Кесте",
    customer: "Клиент",
    kind: "Төлем",
    qr: "QR-код немесе сілтеме",
    push: "Телефонға шот",
    made: "Шығарылған шоттар",
    retry: "Төленбесе",
    cashier: "Кассир",
    defaultCashier: "негізгі",
    upcoming: "Алдағы күндер",
    noUpcoming: "Жоқ"
  },
  madeOf: (runs, most) => (most === null ? runs : `${most} ішінен ${runs}`),
  retryAfter: (hours) => `${hours} сағаттан кейін қайта`,
  history: {
    title: "Шығарылған шоттар",
    none: "Шоттар әлі болған жоқ.",
    outOfSchedule: "кестеден тыс",
    older: "Бұрынғылары",
    caption: "Алдымен жаңалары, барлық әрекетімен."
  },
  run: (number) => `№ ${number} шот`,
  tryOf: (number, of) => `${of} әрекеттің ${number}-сі`,
  againAt: (when) => `келесі әрекет ${when}`,
  offeredAt: (when) => `төлем жүйесі қайта сұралады: ${when}`,
  stuckTitle: "Келесі шотты шығару мүмкін болмай тұр",
  stuckSince: (since, tries, next) =>
    `Шығуы тиіс уақыт: ${since}; әрекеттер: ${tries}.${next === null ? "" : ` Келесісі: ${next}.`}`,
  toDo: {
    live: "Ұйым тест режимінде. Жұмыс режимін қосыңыз: шот өздігінен шығады.",
    cashier: "Жұмыс істейтін кассир жоқ. «Кассирлер» бөлімінде ол үшін кіріңіз немесе басқасын негізгі етіңіз.",
    session: "Кассирдің сессиясы аяқталды. «Кассирлер» бөлімінде ол үшін қайта кіріңіз.",
    quota: "Тариф шегі таусылды. Үлкенірек тариф алыңыз немесе келесі күнді не айды күтіңіз.",
    provider: "Төлем жүйесі бас тартты немесе жауап бермейді. Біз өзіміз қайталаймыз; болмаса, оған хабарласыңыз.",
    sandbox: "Тест режимі бүгін шығара алатын шоттарын шығарды. Ертең жалғасады.",
    other: "Біз өзіміз қайталаймыз. Болмаса, аталған себебін жойыңыз."
  },
  change: "Өзгерту",
  pause: "Тоқтата тұру",
  resume: "Жалғастыру",
  runNow: "Шотты қазір шығару",
  cancel: "Жазылымнан бас тарту",
  cancelText: "Шоттар енді шықпайды, оны жалғастыруға болмайды. Шығарылғандарын төлеуге болады.",
  paused: "Жазылым тоқтатылды.",
  resumed: "Жазылым жалғасады.",
  ran: "Шот шығарылды.",
  cancelled: "Жазылымнан бас тартылды.",
  made: "Жазылым жасалды.",
  saved: "Сақталды.",
  fields: {
    amount: "Сома, ₸",
    description: "Не үшін",
    kind: "Төлем",
    name: "Клиенттің аты",
    phone: "Телефон",
    email: "Эл. пошта",
    interval: "Кезең",
    every: "Әр",
    dayOfMonth: "Айдың күні",
    startAt: "Бірінші күні",
    nextRunAt: "Келесі күні",
    maxRuns: "Қанша шот",
    retry: "Төленбесе, неше сағаттан кейін қайталау",
    misfire: "Күндер өтіп кетсе",
    cashier: "Кассир"
  },
  hints: {
    email: "Шоттар осында жіберіледі.",
    dayOfMonth: "1-ден 28-ге дейін, Алматы уақытымен 10:00-де. Бос болса: бірінші күннің күні мен уақыты.",
    startAt: "Алматы уақытымен. Бос болса: қазір.",
    maxRuns: "Бос болса: шексіз.",
    retry: "Бес санға дейін, мысалы 24, 72."
  },
  intervals: { day: "Күн", week: "Апта", month: "Ай" },
  misfires: { run_once: "Барлығына бір шот", skip: "Олар үшін шот жасалмайды" },
  metadata: {
    title: "Өз деректеріңіз",
    text: "Жазылымда және оның әр шотында сақталады, бағдарламаларыңыз үшін.",
    add: "Жұп қосу",
    nameless: "Атауын жазыңыз.",
    twice: "Мұндай атау бар.",
    tooMuch: "Бұл сақтауға болатыннан көп. Қысқартыңыз.",
    name: (number) => `Атауы ${number}`,
    value: (number) => `Мәні ${number}`,
    remove: (number) => `${number}-жұпты жою`
  },
  more: "Тағы",
  preview: "Алдағы күндер",
  previewNone: "Күндер жоқ",
  amountWrong: "Соманы көрсетіңіз.",
  whole: "Бүтін сандарды жазыңыз."
}
