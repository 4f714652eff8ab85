/** The words of a partner's clients. The same set in each language. */

/** The words of both screens. */
export interface ClientsTexts {
  readonly title: string
  readonly text: string
  readonly open: string
  readonly openText: string
  readonly none: string
  readonly noneText: string
  readonly needsTariff: string
  readonly needsTariffText: string
  readonly name: string
  readonly nameWrong: string
  readonly ownerPhone: string
  readonly ownerName: string
  readonly idn: string
  readonly idnHint: string
  readonly opened: string
  readonly openedText: string
  readonly month: string
  readonly all: string
  readonly payments: (count: string, sum: string) => string
  readonly cashiers: (count: number) => string
  readonly statistics: string
  readonly period: string
  readonly invoices: string
  readonly paid: string
  readonly sum: string
  readonly cashierTitle: string
  readonly noCashiers: string
  readonly connect: string
  readonly mode: string
  readonly modeText: string
  readonly toLive: string
  readonly toSandbox: string
  readonly switched: string
  readonly key: string
  readonly keyText: string
  readonly newKey: string
  readonly keyName: string
  readonly keyReady: string
  readonly keyReadyText: string
  readonly kept: string
  readonly more: string
}
