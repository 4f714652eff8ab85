/** The words of an organization's settings and of what each role may do, the same set in each language. */
import type { Permission } from "../app/Permissions.ts"

/** A field of the settings that may be wrong. */
export type SettingsField =
  | "name"
  | "legalName"
  | "idn"
  | "phone"
  | "whatsapp"
  | "email"
  | "web"
  | "address"
  | "colour"
  | "logo"
  | "returnUrl"
  | "sites"

/** What the office needs. */
export interface OfficeTexts {
  readonly settings: SettingsTexts
  readonly rights: RightsTexts
}

/** Of the settings. */
export interface SettingsTexts {
  readonly title: string
  readonly about: string
  readonly seller: string
  readonly contact: string
  readonly contactText: string
  readonly look: string
  readonly lookText: string
  readonly checkout: string
  readonly labels: Readonly<Record<SettingsField, string>>
  readonly hints: Readonly<Partial<Record<SettingsField, string>>>
  readonly wrong: Readonly<Partial<Record<SettingsField, string>>>
  readonly chooseLogo: string
  readonly otherLogo: string
  readonly removeLogo: string
  readonly logoLarge: string
  readonly ownColour: string
  readonly previewPay: string
  readonly previewReceipt: string
  readonly previewPaid: string
  readonly previewButton: string
  readonly unsaved: string
  readonly discard: string
  readonly archive: string
  readonly archiveText: string
  readonly archived: string
  readonly archivedText: string
}

/** Of the table of what each role may do. */
export interface RightsTexts {
  readonly title: string
  readonly about: string
  readonly show: string
  readonly what: string
  readonly code: string
  readonly reaches: Readonly<Record<"all" | "own" | "limited" | "sandbox" | "none", string>>
  readonly codes: Readonly<Record<"always" | "live keys" | "to switch to live" | "live, if large", string>>
  readonly permissions: Readonly<Record<Permission, string>>
}
