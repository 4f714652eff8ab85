/** The words of the pages of form hooks. */
import type { Code } from "@tolem/core/error/ErrorCatalog"
import type { FormField } from "@tolem/core/formhook/FormFields"
import type { Language } from "../Language.ts"
import type { Message } from "./Texts.ts"

/** Every text of these pages. */
export interface HookTexts {
  readonly fields: Readonly<Record<FormField, string>>
  /** Above a form that came back. */
  readonly mend: Message
  readonly send: string
  readonly least: (amount: string) => string
  readonly most: (amount: string) => string
  /** What is wrong with a field, where more can be said than in the catalogue. */
  readonly faults: Readonly<Partial<Record<Code, string>>>
  /** Why no form is taken. */
  readonly refusals: Readonly<Partial<Record<Code, Message>>>
  /** For people who open the address of a hook. */
  readonly explained: Message
}

const unreadable = {
  kk: { title: "Форманы оқу мүмкін болмады", text: "Сатушының сайтына оралып, форманы қайта жіберіңіз." },
  ru: { title: "Не удалось прочитать форму", text: "Вернитесь на сайт продавца и отправьте форму ещё раз." },
  en: { title: "The form could not be read", text: "Go back to the seller's site and send the form again." }
} as const

const unread = (message: Message) => ({
  form_required: message,
  invalid_request: message,
  payload_too_large: message,
  unsupported_media_type: message
})

const kazakh: HookTexts = {
  fields: {
    amount: "Сома, ₸",
    name: "Аты-жөніңіз",
    phone: "Телефон",
    email: "Электрондық пошта",
    comment: "Түсініктеме"
  },
  mend: { title: "Форманы түзетіңіз", text: "Ештеңе төленген жоқ. Белгіленген жерлерді түзетіп, қайта жіберіңіз." },
  send: "Төлемге өту",
  least: (amount) => `Ең аз сома – ${amount}.`,
  most: (amount) => `Ең көп сома – ${amount}.`,
  faults: {
    invalid_amount: "Соманы санмен жазыңыз, мысалы 3 500 немесе 3500,50.",
    invalid_phone: "Қазақстан нөмірін жазыңыз, мысалы +7 701 123 45 67.",
    invalid_email: "Мекенжайды name@example.kz түрінде жазыңыз.",
    invalid_customer: "Атыңыз тым ұзақ: ең көбі 200 таңба.",
    invalid_description: "Түсініктеме тым ұзақ: ең көбі 100 таңба."
  },
  refusals: {
    hook_paused: {
      title: "Төлем қабылдау тоқтатылған",
      text: "Сатушы бұл форма арқылы төлемді әзірге қабылдамайды. Ештеңе төленген жоқ. Кейінірек қайталаңыз."
    },
    form_refused: {
      title: "Форма бұл сайттан қабылданбайды",
      text: "Ештеңе төленген жоқ. Сатушының өз сайтын ашып, форманы сол жерден жіберіңіз."
    },
    ...unread(unreadable.kk)
  },
  explained: {
    title: "Бұл мекенжай формаларды қабылдайды",
    text: "Мұнда ашатын ештеңе жоқ. Төлеу үшін сатушының сайтына оралып, форманы толтырып жіберіңіз."
  }
}

const russian: HookTexts = {
  fields: { amount: "Сумма, ₸", name: "Имя", phone: "Телефон", email: "Электронная почта", comment: "Комментарий" },
  mend: { title: "Исправьте форму", text: "Ничего не оплачено. Исправьте отмеченное и отправьте ещё раз." },
  send: "Перейти к оплате",
  least: (amount) => `Наименьшая сумма – ${amount}.`,
  most: (amount) => `Наибольшая сумма – ${amount}.`,
  faults: {
    invalid_amount: "Введите сумму числом, например 3 500 или 3500,50.",
    invalid_phone: "Введите номер Казахстана, например +7 701 123 45 67.",
    invalid_email: "Введите адрес вида name@example.kz.",
    invalid_customer: "Имя слишком длинное: не больше 200 символов.",
    invalid_description: "Комментарий слишком длинный: не больше 100 символов."
  },
  refusals: {
    hook_paused: {
      title: "Приём платежей приостановлен",
      text: "Продавец пока не принимает платежи через эту форму. Ничего не оплачено. Попробуйте позже."
    },
    form_refused: {
      title: "Форма с этого сайта не принимается",
      text: "Ничего не оплачено. Откройте сайт самого продавца и отправьте форму оттуда."
    },
    ...unread(unreadable.ru)
  },
  explained: {
    title: "Этот адрес принимает формы",
    text: "Открывать здесь нечего. Чтобы заплатить, вернитесь на сайт продавца, заполните форму и отправьте её."
  }
}

const english: HookTexts = {
  fields: { amount: "Amount, ₸", name: "Name", phone: "Phone", email: "E-mail", comment: "Comment" },
  mend: { title: "Please correct the form", text: "Nothing was paid. Correct what is marked, and send it again." },
  send: "Go to the payment",
  least: (amount) => `The least amount is ${amount}.`,
  most: (amount) => `The largest amount is ${amount}.`,
  faults: {
    invalid_amount: "Enter the amount as a number, for example 3 500 or 3500.50.",
    invalid_phone: "Enter a number of Kazakhstan, for example +7 701 123 45 67.",
    invalid_email: "Enter an address like name@example.kz.",
    invalid_customer: "The name is too long: 200 characters at most.",
    invalid_description: "The comment is too long: 100 characters at most."
  },
  refusals: {
    hook_paused: {
      title: "Payments are paused",
      text: "The seller takes no payments by this form for now. Nothing was paid. Try again later."
    },
    form_refused: {
      title: "The form is not taken from this site",
      text: "Nothing was paid. Open the seller's own site, and send the form from there."
    },
    ...unread(unreadable.en)
  },
  explained: {
    title: "This address takes forms",
    text: "There is nothing to open here. To pay, go back to the seller's site, fill in the form and send it."
  }
}

const all: Readonly<Record<Language, HookTexts>> = { kk: kazakh, ru: russian, en: english }

/** The words of a language. */
export const hookTextsOf = (language: Language): HookTexts => all[language]
