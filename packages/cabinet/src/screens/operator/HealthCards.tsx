/** The parts of the platform: what is due, the agents that take it, and the servers that they run on. */
import { ago, instant } from "@tolem/http-server/pages/Formats"
import { Server } from "lucide-react"
import { Card } from "../../parts/Card.tsx"
import { count } from "../../parts/MoneyWords.ts"
import rows from "../../parts/Rows.module.css"
import { Pill } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import { counted, named, type PlatformHealth, sinceThen } from "./HealthTroubles.ts"
import styles from "./Platform.module.css"
import { span } from "./Span.ts"
import { useOperatorTexts } from "./Texts.ts"

interface CardProps {
  readonly health: PlatformHealth
}

const useHealthTexts = () => useOperatorTexts().platform.health

/** What is due. */
export const Due = ({ health: { waiting } }: CardProps) => {
  const words = useHealthTexts()
  return (
    <Card title={words.waits} text={words.waitsText}>
      <table className={styles["table"]} aria-label={words.waits}>
        <thead>
          <tr>
            <th scope="col">{words.waits}</th>
            <th scope="col">{words.due}</th>
            <th scope="col">{words.oldest}</th>
            <th scope="col">{words.state}</th>
          </tr>
        </thead>
        <tbody>
          {waiting.map(({ kind, agent, count: number, more, lagMs, late }) => (
            <tr key={kind}>
              <th scope="row">
                {named(words.waiting, kind)}
                {agent !== null && <small>{agent}</small>}
              </th>
              <td data-name={words.due}>{counted(number, more)}</td>
              <td data-name={words.oldest} data-nothing={number === 0}>
                {number === 0 ? "–" : span(lagMs, words)}
              </td>
              <td className={styles["state"]}>
                <Pill tone={late ? "bad" : "good"}>{late ? words.isLate : words.inTime}</Pill>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

const agentTones = { working: "good", waiting: "calm", failing: "wait", standing: "bad" } as const

/** The agents, over all servers that run. */
export const Agents = ({ health }: CardProps) => {
  const words = useHealthTexts()
  return (
    <Card title={words.agents} text={words.agentsText}>
      {health.agents.length === 0 && <p className={styles["quiet"]}>{words.noAgents}</p>}
      {health.agents.length > 0 && (
        <table className={styles["table"]} aria-label={words.agents}>
          <thead>
            <tr>
              <th scope="col">{words.agent}</th>
              <th scope="col">{words.lastRun}</th>
              <th scope="col">{words.took}</th>
              <th scope="col">{words.every}</th>
              <th scope="col">{words.failed}</th>
              <th scope="col">{words.state}</th>
            </tr>
          </thead>
          <tbody>
            {health.agents.map((agent) => (
              <AgentRow key={agent.agent} agent={agent} since={sinceThen(health, agent.succeededAt)} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

interface AgentRowProps {
  readonly agent: PlatformHealth["agents"][number]
  /** How long ago it has run, milliseconds; null: never. */
  readonly since: number | null
}

const AgentRow = ({ agent: { agent, everyMs, failedInRow, state, tookMs }, since }: AgentRowProps) => {
  const words = useHealthTexts()
  const known = words.agentNames[agent]
  return (
    <tr>
      <th scope="row">
        {known ?? agent}
        {known !== undefined && <small>{agent}</small>}
      </th>
      <td data-name={words.lastRun}>{since === null ? words.never : words.ago(span(since, words))}</td>
      <td data-name={words.took}>{tookMs === null ? "–" : span(tookMs, words)}</td>
      <td data-name={words.every}>{everyMs === null ? "–" : span(everyMs, words)}</td>
      <td data-name={words.failed} data-nothing={failedInRow === 0}>
        {count(failedInRow)}
      </td>
      <td className={styles["state"]}>
        <Pill tone={agentTones[state]}>{words.agentStates[state]}</Pill>
      </td>
    </tr>
  )
}

const serverTones = { running: "good", silent: "bad", ended: "calm" } as const

/** The servers, those that run first. */
export const Servers = ({ health }: CardProps) => {
  const words = useHealthTexts()
  const { language } = useWords()
  const { at, servers } = health
  return (
    <Card title={words.servers} text={servers.length === 0 ? words.noServer : words.serversText}>
      <ul className={rows["rows"]}>
        {servers.map(({ id, version, state, startedAt, seenAt }) => (
          <li key={id} className={rows["wrapping"]}>
            <Server size={22} aria-hidden className={rows["icon"]} />
            <span className={rows["words"]}>
              <span className={rows["name"]}>{id}</span>
              <span className={rows["quiet"]}>
                {[
                  version === null ? null : words.version(version),
                  words.started(ago(Date.parse(startedAt), Date.parse(at), language)),
                  state === "running"
                    ? words.seen(words.ago(span(sinceThen(health, seenAt) ?? 0, words)))
                    : words.seen(instant(Date.parse(seenAt), language))
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </span>
            <Pill tone={serverTones[state]}>{words.serverStates[state]}</Pill>
          </li>
        ))}
      </ul>
    </Card>
  )
}
