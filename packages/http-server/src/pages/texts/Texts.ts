/** The words of the pages, the same set in each language. */
import type { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import type { PayState, SandboxOutcome } from "../PayState.ts"

/** A heading and what follows from it. */
export interface Message {
  readonly title: string
  readonly text: string
}

/** Every text of the public pages. */
export interface Texts {
  /** The language's own name. */
  readonly name: string
  readonly states: Readonly<Record<PayState, Message>>
  /** What is said of a lost invoice in whose place there can be another one. */
  readonly renewable: { readonly expired: string; readonly failed: string }
  /** On the button that leads to it. */
  readonly again: string
  readonly notFound: Message
  readonly tooMany: Message
  readonly unavailable: Message
  /** The seller takes no payment now. */
  readonly closed: Message
  readonly sandbox: Message
  /** Before the call that ends a sandbox payment. */
  readonly simulate: string
  /** Ends payments of the sandbox. */
  readonly panel: {
    readonly title: string
    readonly bank: string
    readonly outcomes: Readonly<Record<SandboxOutcome, string>>
  }
  /** The page that plays a bank's app. */
  readonly bank: {
    readonly name: string
    readonly question: string
    readonly pay: string
    readonly decline: string
    readonly back: string
    readonly over: { readonly paid: string; readonly other: string }
  }
  /** On the button that has the code made. */
  readonly showCode: string
  readonly payInApp: string
  readonly qrLabel: string
  readonly scan: string
  /** Before the code, for who has opened it already. */
  readonly codeAgain: string
  /** What to do if nothing happens. */
  readonly help: {
    readonly title: string
    readonly code: ReadonlyArray<string>
    readonly phone: ReadonlyArray<string>
    readonly once: string
  }
  /** On the button that hands the page's address on, and once it is copied. */
  readonly share: string
  readonly copied: string
  readonly timeLeft: string
  readonly payBy: string
  /** Before the phone that an invoice was sent to. */
  readonly sentTo: string
  readonly almatyTime: string
  readonly updatesItself: string
  readonly offline: string
  readonly back: string
  readonly backSoon: string
  readonly stay: string
  readonly amount: string
  readonly order: string
  readonly seller: string
  readonly purpose: string
  readonly receipt: string
  readonly openReceipt: string
  readonly receiptNumber: string
  readonly paidAt: string
  readonly refunded: string
  readonly remaining: string
  readonly status: string
  readonly receiptStates: Readonly<Record<Extract<InvoiceStatus, "paid" | "refunded" | "partially_refunded">, string>>
  readonly providerReceipt: string
  /** The number of a company or a person in the state's register. */
  readonly idn: string
  readonly call: string
  readonly notFiscal: string
  readonly refundedAt: string
  /** What an address leads to, where it is shown with its image. */
  readonly preview: string
  readonly print: string
  readonly languages: string
}
