/** The tariffs of the platform, with their limits and prices, and how many have each. They are read only here. */
import { useQuery } from "@tanstack/react-query"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useTitle } from "../../parts/Title.ts"
import styles from "./Operator.module.css"
import { useOperatorTexts } from "./Texts.ts"

/** The screen. */
export const Tariffs = () => {
  const { tariffs } = useOperatorTexts()
  const { data, error } = useQuery(reading("GET /panel/operator/tariffs", {}))
  useTitle(tariffs.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{tariffs.title}</h1>
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={6} tall />}
      {data !== undefined && (
        <Card title={tariffs.catalogue} text={tariffs.text}>
          <p>{data.enforced ? tariffs.enforced : tariffs.notEnforced}</p>
          <p>{tariffs.share(data.referralPercent)}</p>
          <ul className={rows["rows"]}>
            {data.tariffs.map(({ code, name, monthlyLimit, dailyLimit, price, partner }) => (
              <li key={code} className={styles["plan"]}>
                <span className={rows["words"]}>
                  <span className={rows["name"]}>
                    {name} {partner && <small>{tariffs.partner}</small>}
                  </span>
                  <span className={rows["quiet"]}>
                    {code} · {tariffs.limits(count(monthlyLimit), count(dailyLimit))}
                  </span>
                </span>
                <strong>{price === null ? tariffs.notSold : tariffs.monthly(tenge(price))}</strong>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}
