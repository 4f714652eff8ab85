/** Whether what is chosen arrives. */
import { ago } from "@tolem/http-server/pages/Formats"
import { useNow } from "../../parts/Now.ts"
import rows from "../../parts/Rows.module.css"
import { useWords } from "../../parts/Words.tsx"
import type { NoticeLine } from "./Notices.ts"
import styles from "./Notifications.module.css"
import { useNotificationsTexts } from "./Texts.ts"

// As the core writes it.
const serverEnded = "the server ended while handing it over"

/** When something was told last, what waits, and why it waits. */
export const Arrival = ({ line }: { readonly line: NoticeLine | null }) => {
  const words = useNotificationsTexts()
  const { language } = useWords()
  const now = useNow(60_000)
  if (line === null) return <p className={rows["quiet"]}>{words.nothing}</p>
  const { isGivenUp, reason, toldAt, waiting } = line
  const last = toldAt === null ? words.notYet : words.told(ago(Date.parse(toldAt), now, language))
  const why = reason === null ? null : words.reason(reason === serverEnded ? words.serverEnded : reason)
  return (
    <div className={styles["standing"]} role="status">
      {(isGivenUp || reason !== null) && (
        <p className={styles["bad"]}>
          <strong>{isGivenUp ? words.givenUp : words.trouble}</strong>
          {why !== null && <span>{why}</span>}
        </p>
      )}
      <p className={rows["quiet"]}>{[last, waiting > 0 && words.waiting(waiting)].filter(Boolean).join(" · ")}</p>
    </div>
  )
}
