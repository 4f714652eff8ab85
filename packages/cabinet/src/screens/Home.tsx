/** The first screen of an organization: what needs attention, its first payment, its tariff, and what it is. */

import { Offers } from "../app/Offers.tsx"
import { useHere, useOrganization } from "../app/Organization.ts"
import { useMay } from "../app/Permissions.ts"
import { Refused } from "../parts/Refused.tsx"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { About } from "./home/About.tsx"
import { Attention } from "./home/Attention.tsx"
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
      {(data !== undefined || error === null) && (
        <>
          <Offers />
          <Attention />
          {data === undefined && <Skeleton lines={3} tall />}
          {data !== undefined && may("invoices:read") !== null && <FirstSteps organization={data} />}
          {may("reports:read") !== null && <Overview />}
        </>
      )}
      {data !== undefined && (
        <>
          <div id="tariff" tabIndex={-1}>
            <Tariff tariff={data.tariff} />
          </div>
          <About organization={data} />
        </>
      )}
    </div>
  )
}
