/** An organization's first screen: its first payment if there was none, its tariff, and what it is. */
import { useHere, useOrganization } from "../app/Organization.ts"
import { useMay } from "../app/Permissions.ts"
import { Refused } from "../parts/Refused.tsx"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { About } from "./home/About.tsx"
import { FirstSteps } from "./home/FirstSteps.tsx"
import styles from "./home/Home.module.css"
import { Overview } from "./home/Overview.tsx"
import { Tariff } from "./home/Tariff.tsx"

/** The screen. */
export const Home = () => {
  const { texts } = useWords()
  const { name } = useHere()
  const { data, error } = useOrganization()
  const may = useMay()
  useTitle(texts.shell.home)
  return (
    <div className={styles["screen"]}>
      <h1>{name}</h1>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={3} tall />}
      {data !== undefined && (
        <>
          {may("invoices:read") !== null && <FirstSteps organization={data} />}
          {may("reports:read") !== null && <Overview />}
          <Tariff tariff={data.tariff} />
          <About organization={data} />
        </>
      )}
    </div>
  )
}
