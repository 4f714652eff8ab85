/** The words of what developers look at and try. The same set in each language. */

/** Of the quick start, the sandbox, the requests and their errors. */
export interface DevelopersTexts extends StartTexts, TrialTexts {
  readonly title: string
  readonly rates: string
  readonly ratesText: string
  readonly ratesNone: string
  readonly hour: string
  readonly requests: string
  readonly refused: string
  readonly failed: string
  readonly share: string
  readonly rateOf: (hour: string, errors: string, requests: string) => string
  readonly byHour: string
  readonly log: string
  readonly logText: string
  readonly logNone: string
  readonly logNoMatch: string
  readonly all: string
  readonly errorsOnly: string
  readonly requestId: string
  readonly requestIdHint: string
  readonly ofKey: (ending: string) => string
}

interface StartTexts {
  readonly start: string
  readonly startText: string
  readonly withKey: (ending: string) => string
  readonly withNewKey: string
  readonly withoutKey: string
  readonly makeKey: string
  readonly keyPlace: string
  readonly sample: string
  readonly liveSample: string
  readonly guides: Readonly<Record<"quickstart" | "webhooks" | "sandbox" | "errors" | "api", string>>
  readonly documents: string
}

interface TrialTexts {
  readonly clock: string
  readonly clockText: string
  readonly shows: (when: string) => string
  readonly ahead: (days: string) => string
  readonly onTime: string
  readonly by: string
  readonly steps: Readonly<Record<"hour" | "day" | "week" | "month", string>>
  readonly advance: string
  readonly moving: (when: string) => string
  readonly happened: (count: string) => string
  readonly trigger: string
  readonly triggerText: string
  readonly event: string
  readonly happen: string
  readonly triggered: string
}
