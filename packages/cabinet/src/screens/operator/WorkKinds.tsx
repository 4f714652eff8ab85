/** How much needs a person, by kind. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ago } from "@tolem/http-server/pages/Formats"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { counted } from "./HealthTroubles.ts"
import styles from "./Platform.module.css"
import { useOperatorTexts } from "./Texts.ts"

const everyMs = 60_000

/** The screen. */
export const WorkKinds = () => {
  const { work } = useOperatorTexts().platform
  const { language } = useWords()
  const now = useNow(everyMs)
  const counts = reading("GET /panel/operator/work", {})
  const { data, error } = useQuery({ ...counts, staleTime: 0, refetchInterval: everyMs })
  useTitle(work.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{work.title}</h1>
      </header>
      <p className={styles["quiet"]}>{work.text}</p>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={6} tall />}
      {data !== undefined && (
        <Card title={work.all} text={work.allText}>
          <ul className={styles["list"]}>
            {data.kinds.map(({ kind, count, more, since }) => (
              <li key={kind} className={styles["kind"]}>
                <Link to="/operator/work/$kind" params={{ kind }}>
                  {work.kinds[kind]}
                </Link>
                {count === 0 && !more ? <span>{work.nothing}</span> : <strong>{counted(count, more)}</strong>}
                {since !== null && <small>{work.oldest(ago(Date.parse(since), now, language))}</small>}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}
