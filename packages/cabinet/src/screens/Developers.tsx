/** What people who write against the API look at and try. */
import { useHere } from "../app/Organization.ts"
import { useMay } from "../app/Permissions.ts"
import rows from "../parts/Rows.module.css"
import { useTitle } from "../parts/Title.ts"
import styles from "./developers/Developers.module.css"
import { ErrorRates } from "./developers/ErrorRates.tsx"
import { QuickStart } from "./developers/QuickStart.tsx"
import { Requests } from "./developers/Requests.tsx"
import { Clock, Trigger } from "./developers/Sandbox.tsx"
import { useTexts } from "./developers/Texts.ts"

/** The screen. */
export const Developers = () => {
  const developers = useTexts()
  const { organizationId, mode } = useHere()
  const mayTry = useMay()("sandbox:change") !== null
  useTitle(developers.title)
  return (
    // Of another organization or mode nothing is left, a key that was just made least of all.
    <div className={rows["screen"]} key={`${organizationId} ${mode}`}>
      <header>
        <h1>{developers.title}</h1>
      </header>
      <div className={styles["columns"]}>
        <div className={styles["column"]}>
          <QuickStart />
          <Requests />
        </div>
        <div className={styles["column"]}>
          {mayTry && <Clock />}
          {mayTry && <Trigger />}
          <ErrorRates />
        </div>
      </div>
    </div>
  )
}
