/** What is not well with the platform, each in a sentence that needs no knowledge of tables. Pure. */
import type { Answer } from "../../api/Contract.ts"
import { count } from "../../parts/MoneyWords.ts"
import type { HealthTexts } from "../../texts/PlatformTexts.ts"
import { span } from "./Span.ts"

/** How the platform fares, as the server tells of it. */
export type PlatformHealth = Answer<"GET /panel/operator/health">

/** What is not well, and what that means. */
export interface HealthTrouble {
  readonly id: string
  readonly severity: "error" | "warning"
  readonly title: string
  readonly text: string
}

/** How long ago something was when the platform told of it; null: it never was. */
export const sinceThen = ({ at }: PlatformHealth, then: string | null): number | null =>
  then === null ? null : Math.max(0, Date.parse(at) - Date.parse(then))

/** What an agent or a kind of rows is called; one that the words do not know by the name that it has itself. */
export const named = (names: Readonly<Record<string, string>>, name: string): string => names[name] ?? name

/** All of it, the gravest first. */
export const troublesOf = (health: PlatformHealth, words: HealthTexts): ReadonlyArray<HealthTrouble> =>
  [...ofServers(health, words), ...ofAgents(health, words), ...ofWaiting(health, words)].toSorted(
    (a, b) => Number(b.severity === "error") - Number(a.severity === "error")
  )

const ofServers = (health: PlatformHealth, words: HealthTexts): ReadonlyArray<HealthTrouble> => {
  const { servers } = health
  const none: HealthTrouble = { id: "servers", severity: "error", title: words.noServer, text: words.noServerText }
  return [
    ...(servers.some(({ state }) => state === "running") ? [] : [none]),
    ...servers
      .filter(({ state }) => state === "silent")
      .map(({ id, seenAt }) => ({
        id,
        // Others may have taken its place long since.
        severity: "warning" as const,
        title: words.silent(id, span(sinceThen(health, seenAt) ?? 0, words)),
        text: words.silentText
      }))
  ]
}

const ofAgents = (health: PlatformHealth, words: HealthTexts): ReadonlyArray<HealthTrouble> =>
  health.agents.flatMap(({ agent: id, state, succeededAt, failedInRow }): ReadonlyArray<HealthTrouble> => {
    const agent = named(words.agentNames, id)
    if (state === "standing") {
      const title = words.standing(agent, span(sinceThen(health, succeededAt) ?? 0, words))
      return [{ id, severity: "error", title, text: words.standingText }]
    }
    if (state !== "failing") return []
    return [{ id, severity: "warning", title: words.failing(agent, failedInRow), text: words.failingText }]
  })

const ofWaiting = ({ waiting }: PlatformHealth, words: HealthTexts): ReadonlyArray<HealthTrouble> =>
  waiting
    .filter(({ late }) => late)
    .map(({ kind: id, agent, lagMs }): HealthTrouble => {
      const lag = span(lagMs, words)
      // No agent takes these: people have to see to them.
      if (agent === null) {
        return { id, severity: "warning", title: words.lateForPeople(lag), text: words.lateForPeopleText }
      }
      return { id, severity: "error", title: words.late(named(words.waiting, id), lag), text: words.lateText }
    })

/** A number of rows, of which more are not counted. */
export const counted = (number: number, more: boolean): string => `${count(number)}${more ? "+" : ""}`
