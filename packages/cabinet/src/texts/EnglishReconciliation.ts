/** The words of reconciliation in English. */
import type { ReconciliationTexts } from "./ReconciliationTexts.ts"

/** The texts of reconciliation in English. */
export const englishReconciliation: ReconciliationTexts = {
  title: "Reconciliation",
  text: "Each day of each cashier is compared with the provider's own list, two hours after it has ended.",
  sandbox: "No money moves in the sandbox, so there is nothing to compare. Switch to live.",
  noList: "Your provider gives no list of its operations, so days cannot be compared.",
  earlier: "Earlier month",
  later: "Later month",
  days: "Days",
  daysText: "What came in and went back here, and by the provider's list.",
  noDays: "No day of this month has been compared yet.",
  day: "Day",
  cashier: "Cashier",
  here: "Here",
  there: "At the provider",
  result: "Result",
  alike: "Alike",
  closed: "Closed",
  waits: "Being compared",
  failed: "Not compared",
  open: (count) => (count === 1 ? "1 difference" : `${count} differences`),
  faults: {
    no_cashier: "The cashier has to log in.",
    not_able: "The provider gives no list.",
    throttled: "The provider has asked to wait.",
    refused: "The provider has refused.",
    no_answer: "The provider does not answer.",
    too_different: "Hardly anything is alike: is it the right cashier?"
  },
  again: "Compare again",
  asked: "The day is being compared",
  differences: "Differences",
  differencesText: "A difference that is found no more closes itself.",
  none: "Nothing differs in this month.",
  noneOpen: "No difference is open in this month.",
  status: { open: "Open", all: "All" },
  causes: {
    unknown_invoice: "A payment that no invoice knows",
    not_noticed: "Paid at the provider, not here",
    paid_twice: "An invoice that was paid twice",
    refund_open: "A refund that has no outcome here",
    refund_failed: "A refund that has failed here",
    made_elsewhere: "A refund that was made elsewhere",
    not_listed: "Here, but not in the provider's list",
    amounts: "The amounts differ"
  },
  advice: {
    unknown_invoice: "Look it up in the provider's app, and give it back if it belongs to no order.",
    not_noticed: "Ask the provider: if the payment stands, the invoice becomes paid.",
    paid_twice: "Give one of the payments back in the provider's app.",
    refund_open: "Ask the provider: if the refund was made, it becomes so here.",
    refund_failed: "Ask the provider, and see that the money does not go back twice.",
    made_elsewhere: "The provider's app has given money back without us. Write down who and why.",
    not_listed: "Ask the provider's support about the payment.",
    amounts: "Look at the payment in the provider's app."
  },
  amounts: (here, there) => `Here ${here}, at the provider ${there}`,
  nothing: "nothing",
  payment: (number) => `Payment ${number}`,
  toInvoice: "To the invoice",
  check: "Ask the provider",
  settled: "Both sides are alike now",
  stillDiffers: "It still differs",
  accept: "Close with a note",
  acceptTitle: "Close the difference",
  acceptText: "Write what you have found out. It stays closed for as long as it is the same.",
  note: "Note",
  noteWrong: "Write at least three characters.",
  accepted: "The difference is closed",
  resolutions: {
    gone: "Found no more",
    settled: "Settled with the provider",
    accepted: "Closed with a note"
  },
  more: "Show more"
}
