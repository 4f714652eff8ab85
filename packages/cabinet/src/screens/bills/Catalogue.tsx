/** The tariffs that there are. */
import type { Answer } from "../../api/Contract.ts"
import { Button } from "../../parts/Button.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { Pill } from "../../parts/Status.tsx"
import styles from "./Bills.module.css"
import { useBillsTexts } from "./Texts.ts"

interface CatalogueProps extends Pick<Answer<"GET /panel/orgs/:organizationId/tariff">, "catalogue"> {
  readonly current: string
  /** The one that is being ordered. */
  readonly ordering: string | null
  /** Null: nothing can be bought. */
  readonly onBuy: ((code: string) => void) | null
}

/** A card for each. */
export const Catalogue = ({ catalogue, current, ordering, onBuy }: CatalogueProps) => {
  const words = useBillsTexts()
  return (
    <ul className={styles["catalogue"]}>
      {catalogue.map(({ code, name, monthlyLimit, dailyLimit, price, partner }) => (
        <li key={code} data-current={code === current || undefined}>
          <h3>
            {name}
            {code === current && <Pill tone="good">{words.current}</Pill>}
          </h3>
          <strong>{price === null ? words.notForSale : words.perMonth(tenge(price))}</strong>
          <p className={styles["text"]}>{words.limits(count(monthlyLimit), count(dailyLimit))}</p>
          {partner && <p className={styles["text"]}>{words.opensClients}</p>}
          {onBuy !== null && price !== null && (
            <Button
              look={code === current ? "main" : "second"}
              isBusy={ordering === code}
              aria-label={`${code === current ? words.prolong : words.buy}: ${name}`}
              onClick={() => onBuy(code)}
            >
              {code === current ? words.prolong : words.buy}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
