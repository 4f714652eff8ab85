/** The link that a person gives to others, the merchants who have come by it, and what that has earned. */
import { useQuery } from "@tanstack/react-query"
import { day } from "@tolem/http-server/pages/Formats"
import type { Answer } from "../../api/Contract.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Share } from "../../parts/Share.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "../Profile.module.css"

type Earned = Answer<"GET /panel/referral">

/** The card. */
export const Referral = () => {
  const { texts } = useWords()
  const { data, error } = useQuery(reading("GET /panel/referral", {}))
  return (
    <Card title={texts.profile.referral} text={texts.profile.referralText}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={1} tall />}
      {data !== undefined && (
        <>
          <div className={styles["link"]}>
            <output aria-label={texts.profile.referralLink}>{data.link}</output>
            <Share url={data.link} copyText={texts.common.copy} shareText={texts.profile.referralShare} />
          </div>
          <dl className={styles["facts"]}>
            <Fact name={texts.profile.brought} value={String(data.clients.length)} />
            <Fact name={texts.profile.earned} value={tenge(data.accrued)} />
            <Fact name={texts.profile.paidOut} value={tenge(data.paidOut)} />
            <Fact name={texts.profile.referralDue} value={tenge(data.accrued - data.paidOut)} />
          </dl>
          {data.clients.length > 0 && <Clients clients={data.clients} />}
        </>
      )}
    </Card>
  )
}

const Clients = ({ clients }: Pick<Earned, "clients">) => {
  const { texts, language } = useWords()
  const { referralClients, referralSince, referralOf } = texts.profile
  return (
    <ul className={rows["rows"]} aria-label={referralClients}>
      {clients.map(({ organizationId, name, createdAt, accrued, paidOut }) => (
        <li key={organizationId}>
          <span className={rows["words"]}>
            <span className={rows["name"]}>{name}</span>
            <span className={rows["quiet"]}>{referralSince(day(Date.parse(createdAt), language))}</span>
          </span>
          <span className={rows["quiet"]}>{referralOf(tenge(accrued), tenge(paidOut))}</span>
        </li>
      ))}
    </ul>
  )
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
