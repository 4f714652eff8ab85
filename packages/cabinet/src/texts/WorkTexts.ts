/** The words of an organization's screens, the same set in each language, loaded once a person is logged in. */

import type { AttentionTexts } from "./AttentionTexts.ts"
import type { InvitationsTexts } from "./InvitationsTexts.ts"
import type { LettersTexts } from "./LettersTexts.ts"
import type { OfficeTexts } from "./OfficeTexts.ts"

/** A status of an invoice, as the server names it. */
export type StatusName =
  | "new"
  | "pending"
  | "paid"
  | "failed"
  | "expired"
  | "cancelled"
  | "refunded"
  | "partially_refunded"

/** What the daily work needs. */
export interface WorkTexts extends OfficeTexts {
  readonly statuses: Readonly<Record<StatusName, string>>
  readonly stepUp: StepUpTexts
  readonly start: StartTexts
  readonly till: TillTexts
  readonly invoices: InvoicesTexts
  readonly invoice: InvoiceTexts
  readonly mode: ModeTexts
  readonly team: TeamTexts
  readonly cashiers: CashiersTexts
  readonly overview: OverviewTexts
  readonly attention: AttentionTexts
  readonly letters: LettersTexts
  readonly invitations: InvitationsTexts
}

/** Of the fresh code that some actions take. */
export interface StepUpTexts {
  readonly title: string
  readonly about: (phone: string) => string
  readonly confirm: string
}

/** Of a person's first minutes. */
export interface StartTexts {
  readonly another: string
  readonly title: string
  readonly about: string
  readonly name: string
  readonly nameHint: string
  readonly nameMissing: string
  readonly idn: string
  readonly idnHint: string
  readonly idnWrong: string
  readonly referral: string
  readonly referralHint: string
  readonly open: string
  readonly later: string
  readonly steps: string
  readonly stepsText: string
  readonly charge: string
  readonly chargeText: string
  readonly pay: string
  readonly payText: string
  readonly live: string
  readonly liveText: string
  readonly done: string
}

/** Of the till. */
export interface TillTexts {
  readonly cashier: string
  readonly earlierPaid: (amount: string) => string
  readonly earlierText: string
  readonly earlierShow: string
  readonly title: string
  readonly amount: string
  readonly tooSmall: string
  readonly comment: string
  readonly commentHint: string
  readonly way: string
  readonly byQr: string
  readonly byPhone: string
  readonly phone: string
  readonly charge: string
  readonly erase: string
  readonly keys: string
  readonly scan: string
  readonly pushed: string
  readonly preparing: string
  readonly link: string
  readonly share: string
  readonly pretend: string
  readonly cancel: string
  readonly paid: string
  readonly next: string
  readonly again: string
  readonly payableUntil: (time: string) => string
  readonly mayArrive: string
  readonly sound: string
  readonly today: string
  readonly todayNone: string
  readonly received: (amount: string, count: string) => string
  readonly all: string
}

/** Of the list of invoices. */
export interface InvoicesTexts {
  readonly title: string
  readonly search: string
  readonly searchHint: string
  readonly status: string
  readonly anyStatus: string
  readonly anyCashier: string
  readonly open: string
  readonly from: string
  readonly to: string
  readonly anyKind: string
  readonly origin: string
  readonly anyOrigin: string
  readonly origins: Readonly<Record<"request" | "subscription" | "payment-link" | "form-hook", string>>
  readonly minAmount: string
  readonly maxAmount: string
  readonly table: string
  readonly noneYet: string
  readonly lookedTo: (when: string) => string
  readonly further: string
  readonly reset: string
  readonly filters: string
  readonly found: (count: string) => string
  readonly none: string
  readonly noneText: string
  readonly noMatch: string
  readonly noMatchText: string
  readonly when: string
  readonly amount: string
  readonly about: string
  readonly older: string
  readonly received: (amount: string) => string
  readonly refunded: (amount: string) => string
}

/** Of one invoice. */
export interface InvoiceTexts {
  readonly title: (amount: string) => string
  readonly back: string
  readonly facts: string
  readonly number: string
  readonly order: string
  readonly comment: string
  readonly customer: string
  readonly kind: string
  readonly kinds: { readonly qr: string; readonly phone: string }
  readonly made: string
  readonly until: string
  readonly paidAt: string
  readonly receipt: string
  readonly history: string
  readonly late: string
  readonly sources: Readonly<Record<"api" | "cabinet" | "provider" | "schedule" | "system", string>>
  readonly refunds: string
  readonly refundStatuses: Readonly<Record<"pending" | "succeeded" | "failed" | "unknown", string>>
  readonly qr: string
  readonly toPage: string
  readonly copyLink: string
  readonly share: string
  readonly ask: string
  readonly asked: string
  readonly cancel: string
  readonly cancelTitle: string
  readonly cancelText: string
  readonly cancelled: string
  readonly stillPayable: (when: string) => string
  readonly simulate: string
  readonly simulateText: string
  readonly outcomes: { readonly paid: string; readonly failed: string; readonly expired: string }
  readonly refund: string
  readonly refundTitle: string
  readonly refundText: (most: string) => string
  readonly refundAmount: string
  readonly refundAll: string
  readonly refundReason: string
  readonly refundDo: (amount: string) => string
  readonly refundDone: string
  readonly refundWrong: (most: string) => string
  readonly refundUnanswered: string
  readonly refundLimit: (limit: string) => string
}

/** Of the switch to live. */
export interface ModeTexts {
  readonly looking: string
  readonly works: (mode: string) => string
  readonly toLive: string
  readonly toSandbox: string
  readonly title: string
  readonly about: string
  readonly checks: {
    readonly paid: string
    readonly tariff: string
    readonly cashier: string
  }
  readonly cashierText: string
  readonly go: string
  readonly isLive: string
  readonly isSandbox: string
}

/** Of the members. */
export interface TeamTexts {
  readonly cashiers: string
  readonly cashiersHint: string
  readonly noCashiers: string
  readonly mayRefund: string
  readonly limitMissing: string
  readonly title: string
  readonly about: string
  readonly you: string
  readonly change: string
  readonly role: string
  readonly roleTexts: Readonly<Record<"owner" | "manager" | "accountant" | "cashier" | "developer", string>>
  readonly refundLimit: string
  readonly refundLimitHint: string
  readonly limit: (amount: string) => string
  readonly noRefunds: string
  readonly save: string
  readonly saved: string
  readonly remove: string
  readonly removeText: (name: string) => string
  readonly removed: string
}

/** Of the cashiers. */
export interface CashiersTexts {
  readonly title: string
  readonly about: string
  readonly none: string
  readonly noneText: string
  readonly connect: string
  readonly connected: string
  readonly logIn: string
  readonly again: string
  readonly makeDefault: string
  readonly isDefault: string
  readonly disable: string
  readonly enable: string
  readonly expiredText: string
  readonly removeText: string
  readonly statuses: Readonly<Record<"pending" | "active" | "expired" | "disabled", string>>
  readonly step: (step: number, all: number) => string
  readonly steps: Readonly<Record<"name" | "phone" | "code", string>>
  readonly stepTexts: Readonly<Record<"name" | "phone" | "code", string>>
  readonly name: string
  readonly nameHint: string
  readonly missing: string
  readonly next: string
  readonly restart: string
}

/** Of the overview. */
export interface OverviewTexts {
  readonly received: string
  readonly period: string
  readonly days: (days: number) => string
  readonly against: (days: number) => string
  readonly payments: string
  readonly average: string
  readonly conversion: string
  readonly refunded: string
  readonly byDay: string
  readonly asTable: string
  readonly day: string
  readonly last: string
}
