/** The words of the pages for people who open the server itself. */
import type { Language } from "../Language.ts"
import type { Message } from "./Texts.ts"

/** Every text of such a page. */
export interface StartTexts extends Message {
  /** On the link to the documentation. */
  readonly docs: string
}

const docs = { kk: "Құжаттама (орысша)", ru: "Документация", en: "Documentation" } as const

/** The words: of `/`, and of `/panel`. */
export const startTexts: Readonly<Record<Language, Readonly<Record<"start" | "panel", StartTexts>>>> = {
  kk: {
    start: {
      title: "Төлем сервері",
      text: "Бұл сервер теңгемен шоттар мен жазылымдар жасайды. Төлеу үшін сатушы жіберген сілтемені ашыңыз.",
      docs: docs.kk
    },
    panel: {
      title: "Кабинеттің мекенжайы",
      text: "Мұнда бағдарламалар жүгінетін кабинет API тұр. Оның өз беттері әзірге жоқ.",
      docs: docs.kk
    }
  },
  ru: {
    start: {
      title: "Платёжный сервер",
      text: "Этот сервер выставляет счета и подписки в тенге. Чтобы заплатить, откройте ссылку от продавца.",
      docs: docs.ru
    },
    panel: {
      title: "Адрес кабинета",
      text: "Здесь API кабинета, к которому обращаются программы. Собственных страниц у него пока нет.",
      docs: docs.ru
    }
  },
  en: {
    start: {
      title: "A payment server",
      text: "This server makes invoices and subscriptions in tenge. To pay, open the link that the seller has sent.",
      docs: docs.en
    },
    panel: {
      title: "The address of the cabinet",
      text: "This is the cabinet's API, which programs call. It has no pages of its own yet.",
      docs: docs.en
    }
  }
}
