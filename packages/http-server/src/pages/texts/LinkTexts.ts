/** The words of the pages of payment links. */
import type { Code } from "@tolem/core/error/ErrorCatalog"
import type { LinkFault, LinkField } from "@tolem/core/paymentlink/LinkForm"
import type { Language } from "../Language.ts"
import type { Message } from "./Texts.ts"

/** Every text of these pages. */
export interface LinkTexts {
  readonly fields: Readonly<Record<LinkField, string>>
  /** Above the amounts that are offered, and the last of them, which lets the customer type one. */
  readonly choose: string
  readonly other: string
  /** The amounts that may be typed. */
  readonly between: (min: string, max: string) => string
  readonly from: (min: string) => string
  /** Behind the name of a field that may stay empty. */
  readonly optional: string
  readonly hints: { readonly amount: string; readonly phone: string }
  readonly pay: string
  /** Leads from an invoice that was not paid to the link's page. */
  readonly back: string
  /** Above what is wrong with the form. */
  readonly wrong: string
  /** What is wrong with a field; `bound` is the amount that was missed. */
  readonly faults: Readonly<Record<LinkFault["code"], (bound: string) => string>>
  /** Why there is no form, by the code that a program gets. */
  /** In the place of an amount that the customer types. */
  readonly anyAmount: string
  readonly poster: { readonly title: string; readonly scan: string; readonly typed: string; readonly print: string }
  readonly refusals: Readonly<Partial<Record<Code, Message>>>
}

const kazakh: LinkTexts = {
  fields: {
    amount: "Сома, ₸",
    name: "Аты-жөніңіз",
    phone: "Телефон",
    email: "Электрондық пошта",
    comment: "Түсініктеме"
  },
  choose: "Соманы таңдаңыз",
  other: "Басқа сома",
  between: (min, max) => `${min} – ${max}`,
  from: (min) => `${min} бастап`,
  optional: "міндетті емес",
  hints: { amount: "Мысалы: 3\u00a0500", phone: "Мысалы: +7\u00a0701\u00a0123\u00a045\u00a067" },
  pay: "Төлемге өту",
  back: "Төлем сілтемесіне оралу",
  wrong: "Мынаны түзетіңіз:",
  faults: {
    invalid_amount: () => "Соманы санмен жазыңыз, мысалы 3\u00a0500.",
    amount_too_small: (bound) => `Ең аз сома – ${bound}.`,
    amount_too_large: (bound) => `Ең көп сома – ${bound}.`,
    invalid_customer: () => "Атыңыз тым ұзақ: ең көбі 200 таңба.",
    phone_required: () => "Телефон нөміріңізді жазыңыз.",
    invalid_phone: () => "Қазақстан нөмірін жазыңыз, мысалы +7\u00a0701\u00a0123\u00a045\u00a067.",
    invalid_email: () => "Мекенжайды name@example.kz түрінде жазыңыз.",
    name_required: () => "Атыңызды жазыңыз.",
    email_required: () => "Электрондық поштаңызды жазыңыз.",
    invalid_comment: () => "Түсініктеме тым ұзақ: ең көбі 300 таңба.",
    comment_required: () => "Түсініктеме жазыңыз."
  },
  anyAmount: "Кез келген сома",
  poster: {
    title: "Төлеу үшін плакат",
    scan: "QR-кодты телефон камерасымен сканерлеңіз",
    typed: "немесе мекенжайды теріңіз",
    print: "Беттің өлшемі"
  },
  refusals: {
    link_invalid: {
      title: "Төлем сілтемесі жарамсыз",
      text: "Мұндай сілтеме жоқ немесе ол жойылған. Сатушыдан жаңасын сұраңыз."
    },
    link_not_open: {
      title: "Төлем әлі ашылған жоқ",
      text: "Сатушы бұл сілтемені кейінірек ашады. Сонда қайта келіңіз."
    },
    link_closed: { title: "Төлем мерзімі өтті", text: "Бұл сілтеме енді төлем қабылдамайды. Сатушыға хабарласыңыз." },
    link_sold_out: {
      title: "Орын қалмады",
      text: "Барлық орын алынды. Біреу төлемей кетсе, орын қайта ашылады: біраздан кейін қарап көріңіз."
    },
    link_paused: {
      title: "Төлем қабылдау тоқтатылған",
      text: "Сатушы бұл сілтеме бойынша төлемді әзірге қабылдамайды. Кейінірек қайта көріңіз."
    },
    invalid_request: { title: "Форманы оқу мүмкін болмады", text: "Бетке оралып, қайта жіберіп көріңіз." },
    form_required: { title: "Форманы оқу мүмкін болмады", text: "Бетке оралып, қайта жіберіп көріңіз." }
  }
}

const russian: LinkTexts = {
  fields: { amount: "Сумма, ₸", name: "Имя", phone: "Телефон", email: "Электронная почта", comment: "Комментарий" },
  choose: "Выберите сумму",
  other: "Другая сумма",
  between: (min, max) => `от ${min} до ${max}`,
  from: (min) => `от ${min}`,
  optional: "необязательно",
  hints: { amount: "Например: 3\u00a0500", phone: "Например: +7\u00a0701\u00a0123\u00a045\u00a067" },
  pay: "Перейти к оплате",
  back: "Вернуться к платёжной ссылке",
  wrong: "Исправьте, пожалуйста:",
  faults: {
    invalid_amount: () => "Введите сумму числом, например 3\u00a0500.",
    amount_too_small: (bound) => `Наименьшая сумма – ${bound}.`,
    amount_too_large: (bound) => `Наибольшая сумма – ${bound}.`,
    invalid_customer: () => "Имя слишком длинное: не больше 200 символов.",
    phone_required: () => "Введите номер телефона.",
    invalid_phone: () => "Введите номер Казахстана, например +7\u00a0701\u00a0123\u00a045\u00a067.",
    invalid_email: () => "Введите адрес вида name@example.kz.",
    name_required: () => "Введите имя.",
    email_required: () => "Введите адрес электронной почты.",
    invalid_comment: () => "Комментарий слишком длинный: не больше 300 символов.",
    comment_required: () => "Напишите комментарий."
  },
  anyAmount: "Любая сумма",
  poster: {
    title: "Плакат для оплаты",
    scan: "Отсканируйте QR-код камерой телефона",
    typed: "или наберите адрес",
    print: "Размер листа"
  },
  refusals: {
    link_invalid: {
      title: "Платёжная ссылка недействительна",
      text: "Такой ссылки нет, или её удалили. Попросите у продавца новую."
    },
    link_not_open: {
      title: "Приём платежей ещё не открыт",
      text: "Продавец откроет эту ссылку позже. Загляните сюда тогда."
    },
    link_closed: { title: "Срок оплаты прошёл", text: "Ссылка больше не принимает платежи. Обратитесь к продавцу." },
    link_sold_out: {
      title: "Мест не осталось",
      text: "Все места заняты. Если кто-то не оплатит, место освободится: загляните немного позже."
    },
    link_paused: {
      title: "Приём платежей приостановлен",
      text: "Продавец пока не принимает платежи по этой ссылке. Попробуйте позже."
    },
    invalid_request: { title: "Не удалось прочитать форму", text: "Вернитесь на страницу и отправьте её ещё раз." },
    form_required: { title: "Не удалось прочитать форму", text: "Вернитесь на страницу и отправьте её ещё раз." }
  }
}

const english: LinkTexts = {
  fields: { amount: "Amount, ₸", name: "Name", phone: "Phone", email: "E-mail", comment: "Comment" },
  choose: "Choose an amount",
  other: "Another amount",
  between: (min, max) => `${min} to ${max}`,
  from: (min) => `from ${min}`,
  optional: "optional",
  hints: { amount: "For example: 3\u00a0500", phone: "For example: +7\u00a0701\u00a0123\u00a045\u00a067" },
  pay: "Go to the payment",
  back: "Back to the payment link",
  wrong: "Please correct this:",
  faults: {
    invalid_amount: () => "Enter the amount as a number, for example 3\u00a0500.",
    amount_too_small: (bound) => `The least amount is ${bound}.`,
    amount_too_large: (bound) => `The largest amount is ${bound}.`,
    invalid_customer: () => "The name is too long: 200 characters at most.",
    phone_required: () => "Enter your phone number.",
    invalid_phone: () => "Enter a number of Kazakhstan, for example +7\u00a0701\u00a0123\u00a045\u00a067.",
    invalid_email: () => "Enter an address like name@example.kz.",
    name_required: () => "Enter your name.",
    email_required: () => "Enter your e-mail address.",
    invalid_comment: () => "The comment is too long: 300 characters at most.",
    comment_required: () => "Write a comment."
  },
  anyAmount: "Any amount",
  poster: {
    title: "A poster to pay by",
    scan: "Scan the QR code with the camera of your phone",
    typed: "or type the address",
    print: "Size of the sheet"
  },
  refusals: {
    link_invalid: {
      title: "This payment link does not work",
      text: "There is no such link, or it was removed. Ask the seller for a new one."
    },
    link_not_open: { title: "Not open yet", text: "The seller opens this link later. Come back then." },
    link_closed: { title: "The time to pay is over", text: "This link takes no more payments. Ask the seller." },
    link_sold_out: {
      title: "Sold out",
      text: "All places are taken. If a payment does not come, its place is free again: look in a little later."
    },
    link_paused: {
      title: "Payments are paused",
      text: "The seller takes no payments by this link for now. Try again later."
    },
    invalid_request: { title: "The form could not be read", text: "Go back to the page and send it again." },
    form_required: { title: "The form could not be read", text: "Go back to the page and send it again." }
  }
}

const all: Readonly<Record<Language, LinkTexts>> = { kk: kazakh, ru: russian, en: english }

/** The words of a language. */
export const linkTextsOf = (language: Language): LinkTexts => all[language]
