/** Says that the browser has no connection, for as long as that is so. */
import { useSyncExternalStore } from "react"
import { useWords } from "../parts/Words.tsx"
import styles from "./Shell.module.css"

const onChange = (listener: () => void) => {
  addEventListener("online", listener)
  addEventListener("offline", listener)
  return () => {
    removeEventListener("online", listener)
    removeEventListener("offline", listener)
  }
}

/** The band; nothing while there is a connection. */
export const OfflineBand = () => {
  const isOnline = useSyncExternalStore(onChange, () => navigator.onLine)
  const { texts } = useWords()
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles["band"]}>
          <strong>{texts.common.offline}</strong>
          <span>{texts.common.offlineText}</span>
        </p>
      )}
    </div>
  )
}
