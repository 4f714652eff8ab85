/** Which pages the documentation has, in which order, and what they are called. */

/** The languages of the documentation, the default first. */
export const docLanguages = ["en", "ru"] as const

/** A language of the documentation. */
export type DocLanguage = (typeof docLanguages)[number]

/** What is written once in each language. */
export type Both = Readonly<Record<DocLanguage, string>>

/** A page by the end of its address. */
export interface DocPage {
  readonly slug: string
  readonly title: Both
  /** The group of the contract that the page tells of; undefined: its text is a file. */
  readonly tags?: ReadonlyArray<string>
}

/** Pages that stand together. */
export interface Section {
  readonly title: Both
  readonly pages: ReadonlyArray<DocPage>
}

const page = (slug: string, en: string, ru: string, ...tags: ReadonlyArray<string>): DocPage =>
  tags.length === 0 ? { slug, title: { en, ru } } : { slug, title: { en, ru }, tags }

/** All pages. The first one is at `/docs`. */
export const sections: ReadonlyArray<Section> = [
  {
    title: { en: "Begin", ru: "Начало" },
    pages: [
      page("index", "Documentation", "Документация"),
      page("quickstart", "First payment in five minutes", "Первый платёж за пять минут")
    ]
  },
  {
    title: { en: "Guides", ru: "Руководства" },
    pages: [
      page("qr", "Payment by QR code", "Оплата по QR-коду"),
      page("phone", "Invoice in the customer's app", "Счёт в приложении клиента"),
      page("links", "Payment links", "Платёжные ссылки"),
      page("poster", "A poster with a code", "Плакат с кодом"),
      page("face", "Your name, logo and colour", "Ваше имя, логотип и цвет"),
      page("forms", "Forms on your site", "Формы на вашем сайте"),
      page("embed", "Payment on your own page", "Оплата на вашей странице"),
      page("subscriptions", "Subscriptions", "Подписки"),
      page("webhooks", "Webhooks", "Вебхуки"),
      page("notices", "Notifications", "Уведомления"),
      page("refunds", "Refunds", "Возвраты"),
      page("unknown", "Unknown outcomes", "Когда исход неизвестен"),
      page("sandbox", "Testing in the sandbox", "Проверка в песочнице"),
      page("live", "Going live", "Запуск")
    ]
  },
  {
    title: { en: "Reference", ru: "Справочник" },
    pages: [
      page("api", "Addresses, keys, errors", "Адреса, ключи, ошибки"),
      page("api-invoices", "Invoices", "Счета", "invoices"),
      page("api-subscriptions", "Subscriptions", "Подписки", "subscriptions"),
      page("api-webhooks", "Webhook endpoints", "Адреса вебхуков", "webhookEndpoints"),
      page("api-events", "Events", "События", "events"),
      page("api-links", "Payment links", "Платёжные ссылки", "paymentLinks"),
      page("api-forms", "Form hooks", "Приём форм", "formHooks"),
      page("api-account", "Account", "Аккаунт", "account"),
      page("api-partner", "Partner", "Партнёр", "partner"),
      page("api-public", "Public addresses", "Публичные адреса", "pages", "forms")
    ]
  },
  {
    title: { en: "Facts", ru: "Факты" },
    pages: [
      page("errors", "Error codes", "Коды ошибок"),
      page("limits", "Limits", "Ограничения"),
      page("message", "The webhook message", "Сообщение вебхука"),
      page("states", "States", "Состояния"),
      page("changelog", "Changes", "Изменения")
    ]
  }
]

/** All pages in one row. */
export const pages: ReadonlyArray<DocPage> = sections.flatMap((section) => section.pages)

/** The language for a visitor, by their header Accept-Language: Russian for those who read Russian or Kazakh first. */
export const languageOf = (accepted: string | undefined): DocLanguage =>
  /^\s*(ru|kk)\b/i.test(accepted ?? "") ? "ru" : "en"

/** The address of a page. */
export const addressOf = (base: string, language: DocLanguage, slug: string): string =>
  `${base}/docs/${language}${slug === "index" ? "" : `/${slug}`}`
