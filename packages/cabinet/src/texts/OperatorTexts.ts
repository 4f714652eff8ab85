/** The words of the console of those who run the platform. The same set in each language. */
import type { PlatformDeed, PlatformKind } from "@tolem/core/audit/DeedKinds"
import type { PlatformTexts } from "./PlatformTexts.ts"

/** See above. */
export interface OperatorTexts {
  readonly platform: PlatformTexts
  readonly title: string
  readonly mark: string
  readonly markText: string
  readonly leave: string
  readonly search: string
  readonly more: string
  readonly isCut: string
  readonly none: string
  readonly noneText: string
  readonly people: {
    readonly title: string
    readonly text: string
    readonly hint: string
    readonly unnamed: string
    readonly active: string
    readonly blocked: string
    readonly since: (day: string) => string
    readonly sessions: (count: number) => string
    readonly isOperator: string
    readonly organizations: string
    readonly noOrganizations: string
    readonly block: string
    readonly blockText: string
    readonly unblock: string
    readonly unblockText: string
    readonly endSessions: string
    readonly endSessionsText: string
    readonly ended: (count: number) => string
    readonly done: string
  }
  readonly merchants: {
    readonly title: string
    readonly text: string
    readonly hint: string
    readonly active: string
    readonly archived: string
    readonly owner: string
    readonly tariff: string
    readonly endless: string
    readonly used: string
    readonly counts: string
    readonly grant: string
    readonly grantText: string
    readonly months: string
    readonly archive: string
    readonly archiveText: string
    readonly restore: string
    readonly restoreText: string
  }
  readonly earnings: {
    readonly title: string
    readonly text: string
    readonly unpaid: string
    readonly paid: string
    readonly nothing: string
    readonly nothingText: string
    readonly nothingOfOne: string
    readonly oldest: string
    readonly count: (count: number) => string
    readonly person: string
    readonly pay: string
    readonly payText: (amount: string, count: number) => string
    readonly note: string
    readonly noteHint: string
    readonly noted: string
    readonly payouts: string
    readonly noPayouts: string
  }
  readonly tariffs: {
    readonly title: string
    readonly catalogue: string
    readonly text: string
    readonly enforced: string
    readonly notEnforced: string
    readonly share: (percent: number) => string
    readonly partner: string
    readonly limits: (month: string, day: string) => string
    readonly monthly: (price: string) => string
    readonly notSold: string
  }
  readonly journal: {
    readonly title: string
    readonly text: string
    readonly organization: string
    /** Of the link from a person, and from an organization. */
    readonly ofPerson: string
    readonly ofMerchant: string
    readonly operator: (name: string) => string
    readonly kinds: Readonly<Record<PlatformKind, string>>
    readonly actions: Readonly<Record<PlatformDeed, string>>
    /** Members and values of details. */
    readonly labels: Readonly<Record<string, string>>
    readonly values: Readonly<Record<string, string>>
  }
  readonly looks: {
    readonly title: string
    readonly one: string
    readonly text: string
    readonly invoice: string
    readonly reason: string
    readonly reasonHint: string
    readonly look: string
    readonly amount: string
    readonly description: string
    readonly customer: string
    readonly made: string
  }
}
