/** The words of payment links. The same set in each language. */

/** The words of both screens. */
export interface LinksTexts {
  readonly title: string
  readonly text: string
  readonly create: string
  readonly none: string
  readonly noneText: string
  readonly back: string
  readonly states: Readonly<Record<LinkState, string>>
  readonly payments: (count: string, sum: string) => string
  readonly left: (count: string) => string
  readonly copy: string
  readonly share: string
  readonly open: string
  readonly change: string
  readonly pause: string
  readonly resume: string
  readonly paused: string
  readonly resumed: string
  readonly remove: string
  readonly removeText: string
  readonly removed: string
  readonly saved: string
  readonly made: string
  readonly statistics: string
  readonly statisticsText: string
  readonly statisticsNone: string
  readonly figures: Readonly<Record<"invoices" | "opened" | "payments" | "sum" | "refunded", string>>
  readonly allTime: string
  readonly since: (day: string) => string
  readonly byDay: string
  readonly poster: string
  readonly posterText: string
  readonly posterSize: (size: string) => string
  readonly editorText: string
  readonly fields: Readonly<Record<LinkEditorField, string>>
  readonly hints: Readonly<Partial<Record<LinkEditorField, string>>>
  readonly wrong: Readonly<Record<"title" | "amount", string>>
  readonly fixed: string
  readonly typed: string
  readonly how: string
  readonly asked: string
  readonly ask: Readonly<Record<"off" | "optional" | "required", string>>
  readonly of: Readonly<Record<"name" | "phone" | "email" | "comment", string>>
  readonly more: string
  readonly choosePicture: string
  readonly removePicture: string
  readonly pictureWrong: string
  readonly preview: string
}

/** How a link stands. */
export type LinkState = "active" | "paused" | "notOpen" | "closed" | "soldOut"

/** A field of the form of a link. */
export type LinkEditorField =
  | "title"
  | "description"
  | "amount"
  | "presets"
  | "minAmount"
  | "maxAmount"
  | "slug"
  | "maxPayments"
  | "opensAt"
  | "closesAt"
  | "thankYou"
  | "picture"
