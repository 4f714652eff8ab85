/** How the platform fares: what is not well first, then what is due, the agents and the servers. */
import { useQuery } from "@tanstack/react-query"
import { instant } from "@tolem/http-server/pages/Formats"
import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react"
import { reading } from "../../app/Queries.ts"
import { count } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { Agents, Due, Servers } from "./HealthCards.tsx"
import { type HealthTrouble, type PlatformHealth, troublesOf } from "./HealthTroubles.ts"
import styles from "./Platform.module.css"
import { span } from "./Span.ts"
import { useOperatorTexts } from "./Texts.ts"

/** Servers tell of themselves every 15 seconds. */
const everyMs = 10_000

/** The screen. */
export const Health = () => {
  const { health: words } = useOperatorTexts().platform
  const { language } = useWords()
  const look = reading("GET /panel/operator/health", {})
  const { data, error } = useQuery({ ...look, staleTime: 0, refetchInterval: everyMs })
  useTitle(words.title)
  const when = data === undefined ? "" : instant(Date.parse(data.at), language)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{words.title}</h1>
        {data !== undefined && <p className={styles["quiet"]}>{words.text(when, span(everyMs, words))}</p>}
      </header>
      {error !== null && <Refused failure={error} />}
      {error !== null && data !== undefined && (
        <p role="alert" className={styles["stale"]}>
          {words.stale(when)}
        </p>
      )}
      {data === undefined && error === null && <Skeleton lines={6} tall />}
      {data !== undefined && <Standing health={data} />}
    </div>
  )
}

const Standing = ({ health }: { readonly health: PlatformHealth }) => {
  const { health: words } = useOperatorTexts().platform
  const troubles = troublesOf(health, words)
  const gravest = troubles[0]?.severity ?? "none"
  const Icon = gravest === "none" ? CircleCheck : gravest === "error" ? CircleAlert : TriangleAlert
  const running = health.servers.filter(({ state }) => state === "running").length
  return (
    <>
      <section className={styles["standing"]} data-severity={gravest}>
        {/* Its words alone are read out as they change, not each second of a lag. */}
        <div role="status">
          <h2 className={styles["said"]}>
            <Icon size={22} aria-hidden />
            {troubles.length === 0 ? words.well : words.troubles(troubles.length)}
          </h2>
        </div>
        {troubles.length === 0 && <p>{words.wellText(count(running))}</p>}
        {troubles.length > 0 && (
          <ul className={styles["troubles"]}>
            {troubles.map((trouble) => (
              <Trouble key={trouble.id} trouble={trouble} />
            ))}
          </ul>
        )}
      </section>
      <Due health={health} />
      <Agents health={health} />
      <Servers health={health} />
    </>
  )
}

const Trouble = ({ trouble: { severity, title, text } }: { readonly trouble: HealthTrouble }) => {
  const { severities } = useWords().texts.attention
  const Icon = severity === "error" ? CircleAlert : TriangleAlert
  return (
    <li className={styles["trouble"]} data-severity={severity}>
      <Icon size={18} role="img" aria-label={severities[severity]} />
      <div>
        <strong>{title}</strong>
        <p>{text}</p>
      </div>
    </li>
  )
}
