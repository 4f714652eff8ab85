/** The words of the console about the platform as a whole. The same set in each language. */

/** What needs a person, as the server names it. */
export type WorkKindName =
  | "refund_unknown"
  | "difference_open"
  | "order_unfulfilled"
  | "cashier_session_lost"
  | "subscription_stuck"
  | "endpoint_paused"
  | "delivery_given_up"
  | "letter_failed"

/** Of how the platform fares. A `span` is a time like `5 min`, an `agent` what it is called. */
export interface HealthTexts {
  readonly title: string
  readonly text: (when: string, span: string) => string
  readonly stale: (when: string) => string
  readonly well: string
  readonly wellText: (servers: string) => string
  readonly troubles: (count: number) => string
  readonly noServer: string
  readonly noServerText: string
  readonly silent: (server: string, span: string) => string
  readonly silentText: string
  readonly standing: (agent: string, span: string) => string
  readonly standingText: string
  readonly failing: (agent: string, times: number) => string
  readonly failingText: string
  readonly late: (what: string, span: string) => string
  readonly lateText: string
  readonly lateForPeople: (span: string) => string
  readonly lateForPeopleText: string
  readonly waits: string
  readonly waitsText: string
  readonly waiting: Readonly<Record<string, string>>
  readonly due: string
  readonly oldest: string
  readonly state: string
  readonly inTime: string
  readonly isLate: string
  readonly agents: string
  readonly agentsText: string
  readonly noAgents: string
  /** By the names that they have in metrics and in the log. */
  readonly agentNames: Readonly<Record<string, string>>
  readonly agentStates: Readonly<Record<"working" | "waiting" | "failing" | "standing", string>>
  readonly agent: string
  readonly lastRun: string
  readonly took: string
  readonly every: string
  readonly failed: string
  readonly never: string
  readonly servers: string
  readonly serversText: string
  readonly serverStates: Readonly<Record<"running" | "silent" | "ended", string>>
  readonly version: (version: string) => string
  readonly started: (when: string) => string
  readonly seen: (when: string) => string
  readonly ago: (span: string) => string
  readonly milliseconds: (count: string) => string
  readonly seconds: (count: string) => string
  readonly minutes: (count: string) => string
  readonly hours: (count: string) => string
  readonly days: (count: string) => string
}

/** Of what needs a person. */
export interface WorkForPeopleTexts {
  readonly title: string
  readonly text: string
  readonly all: string
  readonly allText: string
  readonly nothing: string
  readonly kinds: Readonly<Record<WorkKindName, string>>
  /** What an operator can do about it. */
  readonly advice: Readonly<Record<WorkKindName, string>>
  readonly oldest: (when: string) => string
  readonly until: (when: string) => string
  readonly none: string
  readonly noneText: string
  readonly back: string
  readonly look: string
  readonly ask: string
  readonly askText: string
  readonly reason: string
  readonly reasonHint: string
  /** By what is known of the refund after it. */
  readonly asked: Readonly<Record<"succeeded" | "failed" | "unknown" | "pending", string>>
  readonly silent: string
}

/** Both. */
export interface PlatformTexts {
  readonly health: HealthTexts
  readonly work: WorkForPeopleTexts
}
