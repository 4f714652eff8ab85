/** The words of the login and of what surrounds each screen, the same set in each language. */
/** What is loaded first, with the language. */
export interface Texts {
  /** The language's own name. */
  readonly name: string
  readonly login: LoginTexts
  readonly shell: ShellTexts
  readonly profile: ProfileTexts
  readonly home: HomeTexts
  readonly keys: KeysTexts
  readonly common: CommonTexts
}

/** A code of the catalogue, to a text that says what to do about it. */
export type Advice = Readonly<Record<string, string>>

/** What every screen may say. */
export interface CommonTexts {
  readonly offline: string
  readonly offlineText: string
  readonly again: string
  readonly cancel: string
  readonly close: string
  readonly copy: string
  readonly copied: string
  readonly undo: string
  readonly save: string
  readonly optional: string
  readonly fresh: string
  readonly failed: string
  readonly failedText: string
  /** Of amounts that are not taken as they are typed. */
  readonly amountFaults: { readonly unclear: string; readonly large: string }
  readonly notFound: string
  readonly notFoundText: string
  readonly home: string
  /** What to do about codes, wherever they come. */
  readonly advice: Advice
}

/** Of the login and of the registration. */
export interface LoginTexts {
  readonly title: string
  readonly about: string
  readonly joinTitle: string
  readonly joinAbout: string
  readonly overTitle: string
  readonly overAbout: string
  readonly invited: (code: string) => string
  readonly phone: string
  readonly phoneShort: string
  readonly personName: string
  readonly nameHint: string
  readonly send: string
  readonly toJoin: string
  readonly toLogin: string
  readonly codeTitle: string
  readonly codeSent: (phone: string) => string
  readonly code: string
  readonly enter: string
  readonly otherPhone: string
  /** Says nothing of whether the number has an address. */
  readonly codeEmailed: (phone: string) => string
  readonly viaEmail: string
  readonly resend: string
  readonly resendIn: (time: string) => string
  readonly sentAgain: string
  readonly via: (channel: string) => string
  readonly away: string
  readonly language: string
}

/** Of what surrounds each screen. */
export interface ShellTexts {
  readonly settings: string
  readonly menu: string
  readonly skip: string
  readonly profile: string
  readonly console: string
  readonly organization: string
  readonly home: string
  readonly charge: string
  readonly invoices: string
  readonly bulk: string
  readonly reports: string
  readonly cashiers: string
  readonly team: string
  readonly more: string
  readonly keys: string
  readonly webhooks: string
  readonly developers: string
  readonly journal: string
  readonly reconciliation: string
  readonly refunds: string
  readonly notifications: string
  readonly tariff: string
  readonly clients: string
  readonly links: string
  readonly subscriptions: string
  readonly forms: string
  readonly mode: string
  readonly sandbox: string
  readonly sandboxText: string
  readonly live: string
  readonly theme: string
  readonly themes: { readonly system: string; readonly light: string; readonly dark: string }
  readonly logout: string
  readonly docs: string
}

/** Of a person's own screen. */
export interface ProfileTexts {
  readonly title: string
  readonly account: string
  readonly unnamed: string
  readonly email: string
  readonly emailText: string
  readonly emailSent: (email: string) => string
  readonly emailConfirm: string
  readonly addEmail: string
  readonly changeEmail: string
  readonly removeEmail: string
  readonly emailRemoved: string
  readonly changeName: string
  readonly appearance: string
  readonly sessions: string
  readonly sessionsText: string
  readonly current: string
  readonly seen: (when: string) => string
  readonly unknownDevice: string
  readonly end: string
  readonly endOthers: string
  readonly ended: string
  readonly othersEnded: (count: number) => string
  readonly referral: string
  readonly referralText: string
  readonly referralLink: string
  readonly referralShare: string
  readonly referralClients: string
  readonly referralSince: (when: string) => string
  readonly referralOf: (accrued: string, paidOut: string) => string
  readonly referralDue: string
  readonly brought: string
  readonly earned: string
  readonly paidOut: string
  readonly organizations: string
  readonly noOrganizations: string
  readonly roles: Readonly<Record<"owner" | "manager" | "accountant" | "cashier" | "developer" | "operator", string>>
}

/** Of an organization's first screen. */
export interface HomeTexts {
  readonly tariff: string
  readonly tariffUntil: (day: string) => string
  readonly tariffOver: string
  readonly month: string
  readonly day: string
  readonly used: (used: string, limit: string) => string
  readonly usedText: string
  readonly role: string
  readonly idn: string
  readonly legalName: string
  readonly since: string
}

/** Of an organization's keys. */
export interface KeysTexts {
  readonly bind: string
  readonly bindTitle: (name: string) => string
  readonly bindText: string
  readonly bindNone: string
  readonly bindNoneText: string
  readonly boundTo: (name: string) => string
  readonly title: string
  readonly about: string
  readonly none: string
  readonly noneText: string
  readonly lastUsed: (when: string) => string
  readonly neverUsed: string
  readonly made: (when: string) => string
  readonly bound: string
  readonly create: string
  readonly name: string
  readonly nameHint: string
  readonly nameMissing: string
  readonly scopes: string
  readonly scopesMissing: string
  readonly scopeTexts: Readonly<
    Record<
      | "invoices:read"
      | "invoices:write"
      | "refunds:write"
      | "subscriptions:manage"
      | "webhooks:manage"
      | "partner:manage",
      string
    >
  >
  readonly ready: string
  readonly readyText: string
  readonly done: string
  readonly remove: string
  readonly removeText: (name: string) => string
  readonly typeName: (name: string) => string
  readonly removed: string
}
