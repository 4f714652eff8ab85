/** The words of webhooks: where events are sent, and what was sent. The same set in each language. */

/** A kind of event, as the server names it. */
export type EventName =
  | "invoice.paid"
  | "invoice.failed"
  | "invoice.expired"
  | "invoice.cancelled"
  | "invoice.refunded"
  | "invoice.partially_refunded"
  | "webhook.test"

/** Why an attempt has no answer, as the server names it. */
export type SendFault = "timeout" | "refused_address" | "name" | "tls" | "connection" | "protocol" | "unfinished"

/** Of the addresses and of what was sent to them. */
export interface WebhooksTexts extends EndpointTexts, LogTexts {
  readonly title: string
  readonly about: string
  readonly none: string
  readonly noneText: string
  readonly create: string
  readonly back: string
  readonly states: Readonly<Record<"works" | "off" | "rests" | "fails", string>>
  readonly restsText: (failures: number, until: string) => string
  readonly failsText: (failures: number) => string
  readonly offText: string
  readonly allEvents: string
  readonly events: Readonly<Record<EventName, string>>
  readonly cashier: string
  readonly ofCashier: (name: string) => string
}

interface EndpointTexts {
  readonly url: string
  readonly urlHint: string
  readonly urlMissing: string
  readonly which: string
  readonly chosen: string
  readonly eventsMissing: string
  readonly change: string
  readonly saved: string
  readonly ready: string
  readonly readyText: string
  readonly rotate: string
  readonly rotateText: string
  readonly rotated: string
  readonly rotatedText: string
  readonly kept: string
  readonly verifier: string
  readonly verifierText: string
  readonly docs: string
  readonly pause: string
  readonly resume: string
  readonly paused: string
  readonly resumed: string
  readonly remove: string
  readonly removeText: string
  readonly removed: string
  readonly test: string
  readonly testing: string
  readonly testHeld: string
}

interface LogTexts {
  readonly log: string
  readonly logText: string
  readonly logNone: string
  readonly logNoneText: string
  readonly logNoMatch: string
  readonly any: string
  readonly statuses: Readonly<Record<"pending" | "delivered" | "failed", string>>
  readonly tries: (count: number) => string
  readonly next: (when: string) => string
  readonly older: string
  readonly delivery: (event: string) => string
  readonly attempt: (number: number) => string
  readonly noAttempt: string
  readonly answered: (status: number, ms: number) => string
  readonly unanswered: (fault: string, ms: number) => string
  readonly faults: Readonly<Record<SendFault, string>>
  readonly fault: string
  readonly request: string
  readonly headers: string
  readonly answer: string
  readonly emptyAnswer: string
  readonly hiddenAnswer: string
  readonly bodiesGone: string
  readonly toInvoice: string
  readonly resend: string
  readonly resent: string
  readonly replay: string
  readonly replayText: string
  readonly from: string
  readonly to: string
  readonly fromMissing: string
  readonly failedOnly: string
  readonly failedOnlyHint: string
  readonly replayDo: string
  readonly replaying: (sent: string) => string
  readonly replayStop: string
  readonly replayOn: string
  readonly replayed: (sent: string) => string
  readonly replayNone: string
  readonly ofInvoice: string
  readonly ofInvoiceText: string
  readonly gone: string
}
