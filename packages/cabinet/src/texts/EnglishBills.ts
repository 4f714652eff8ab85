/** The words of the tariff in English. */
import type { BillsTexts } from "./BillsTexts.ts"

/** The texts of the tariff in English. */
export const englishBills: BillsTexts = {
  title: "Tariff and bills",
  catalogue: "Tariffs",
  perMonth: (amount) => `${amount} a month`,
  limits: (month, day) => `Up to ${month} live invoices a month, ${day} a day`,
  opensClients: "For partners: opens clients and looks after them",
  current: "Yours now",
  notForSale: "Not for sale",
  buy: "Buy a month",
  prolong: "Prolong by a month",
  noSeller: "Tariffs are not sold here. Ask those who run this service for another one.",
  ownerBuys: "The owner of the organization buys tariffs.",
  unavailable: "It cannot be bought right now. Try again later, or ask those who run this service.",
  payTitle: (tariff, amount) => `${tariff}: ${amount}`,
  payText: "Scan the code with your bank's app, or open the pay page. The month starts when it is paid.",
  payPage: "Open the pay page",
  waiting: "Awaits payment",
  paid: "Paid. The tariff starts in a moment.",
  started: (tariff) => `The tariff ${tariff} is in force.`,
  ended: "This code can no longer be paid.",
  again: "Make another code",
  done: "Done",
  bills: "Bills",
  none: "No bills yet",
  noneText: "Each tariff that is ordered appears here.",
  applied: (day) => `In force since ${day}`,
  receipt: "Receipt",
  payNow: "Pay",
  older: "Show older"
}
