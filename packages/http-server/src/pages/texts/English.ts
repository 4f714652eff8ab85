/** The words of the pages in English. */
import type { Texts } from "./Texts.ts"

const paidAlready = "If you have paid already, do not pay again: this page updates once the money arrives."

/** The pages' texts in English. */
export const english: Texts = {
  name: "English",
  states: {
    ready: {
      title: "Your code to pay with",
      text: "It is made when you ask for it, and is good for a few minutes."
    },
    preparing: { title: "Preparing the payment", text: "One moment, this page updates by itself." },
    scan: { title: "Waiting for the payment", text: "Scan the QR code with your payment app." },
    app: {
      title: "Open the payment app on your phone",
      text: "The invoice was sent to the app. Open it and confirm the payment."
    },
    scanned: { title: "We see you have opened it", text: "Confirm the payment in the app." },
    overdue: {
      title: "Time is up",
      text: "We are checking whether the payment went through. This page updates by itself."
    },
    paid: { title: "Payment received", text: "Thank you! Your payment was accepted." },
    failed: { title: "Payment failed", text: "Go back to the seller and try again." },
    expired: { title: "The time to pay is over", text: `Go back to the seller for a new invoice. ${paidAlready}` },
    cancelled: { title: "Invoice closed", text: `The seller closed this invoice. ${paidAlready}` },
    refunded: { title: "Money returned", text: "The payment was refunded in full." },
    partially_refunded: { title: "Part of the money returned", text: "The payment stands for the rest." }
  },
  renewable: {
    expired: `The code was good for a few minutes only. Get a new one. ${paidAlready}`,
    failed: "Nothing was paid. You can try again with a new code."
  },
  again: "Get a new code",
  notFound: { title: "Page not found", text: "Check the link, or ask the seller for a new one." },
  tooMany: { title: "Too many requests", text: "This page opens by itself in less than a minute." },
  unavailable: {
    title: "The service is temporarily unavailable",
    text: "This page opens by itself in a few seconds. If you have paid already, do not pay again."
  },
  closed: {
    title: "The seller cannot take this payment now",
    text: "Nothing was paid. Open the link again later, or ask the seller."
  },
  sandbox: { title: "Test / sandbox", text: "no money moves" },
  simulate: "Or finish it with this API call:",
  panel: {
    title: "Test this payment",
    bank: "Open the test bank",
    outcomes: { paid: "Paid", failed: "Failed", expired: "Expired", late: "Paid late" }
  },
  bank: {
    name: "Test bank",
    question: "Confirm the payment",
    pay: "Pay",
    decline: "Decline",
    back: "Back to the payment",
    over: { paid: "Payment sent", other: "Nothing to pay" }
  },
  showCode: "Show the code",
  payInApp: "Pay in the app",
  qrLabel: "QR code for the payment",
  scan: "Scan the QR code with your payment app",
  codeAgain: "Show the code again",
  help: {
    title: "Nothing happens?",
    code: [
      "Scan with the scanner of your payment app, not with the camera of the phone.",
      "If the code is refused, wait until this page offers a new one."
    ],
    phone: [
      "Look whether the number above is yours, and open the app: it may not have notified you.",
      "If the number is wrong, ask the seller for a new invoice. This one can be paid only from that number."
    ],
    once: "Do not pay twice: what you have paid is shown here within a minute."
  },
  share: "Share the link",
  copied: "Link copied",
  timeLeft: "Time left",
  payBy: "Pay by",
  sentTo: "Sent to",
  almatyTime: "Almaty time",
  updatesItself: "This page updates by itself when the payment arrives",
  offline: "No connection. Trying again…",
  back: "Back to the seller",
  backSoon: "You will return to the seller's site in a moment.",
  stay: "Stay here",
  amount: "Amount",
  order: "Order",
  seller: "Seller",
  purpose: "For",
  receipt: "Receipt",
  openReceipt: "Open the receipt",
  receiptNumber: "Receipt number",
  paidAt: "Paid at",
  refunded: "Refunded",
  remaining: "Remaining",
  status: "Status",
  receiptStates: { paid: "Paid", refunded: "Refunded in full", partially_refunded: "Refunded in part" },
  providerReceipt: "Receipt of the payment system",
  idn: "BIN/IIN",
  call: "Call",
  notFiscal: "This is not a fiscal receipt.",
  refundedAt: "Refunded at",
  preview: "Payment page",
  print: "Print",
  languages: "Language"
}
