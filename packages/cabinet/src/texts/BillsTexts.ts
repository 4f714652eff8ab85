/** The words of the tariff and its bills. */
export interface BillsTexts {
  readonly title: string
  readonly catalogue: string
  readonly perMonth: (amount: string) => string
  readonly limits: (month: string, day: string) => string
  readonly opensClients: string
  readonly current: string
  readonly notForSale: string
  readonly buy: string
  readonly prolong: string
  /** Who can change the tariff if tariffs are not sold here. */
  readonly noSeller: string
  readonly ownerBuys: string
  readonly unavailable: string
  readonly payTitle: (tariff: string, amount: string) => string
  readonly payText: string
  readonly payPage: string
  readonly waiting: string
  readonly paid: string
  readonly started: (tariff: string) => string
  readonly ended: string
  readonly again: string
  readonly done: string
  readonly bills: string
  readonly none: string
  readonly noneText: string
  readonly applied: (day: string) => string
  readonly receipt: string
  readonly payNow: string
  readonly older: string
}
