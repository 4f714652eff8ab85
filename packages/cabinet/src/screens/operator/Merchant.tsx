/** An organization on the platform: what it has, without its customers, and what is done about it. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { day } from "@tolem/http-server/pages/Formats"
import { useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import type { Answer } from "../../api/Contract.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { SelectField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import { count } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { Act } from "./Act.tsx"
import styles from "./Operator.module.css"
import { useOperatorTexts } from "./Texts.ts"

type Shown = Answer<"GET /panel/operator/organizations/:id">

/** The screen. */
export const Merchant = ({ merchantId }: { readonly merchantId: string }) => {
  const { merchants } = useOperatorTexts()
  const { data, error } = useQuery(reading("GET /panel/operator/organizations/:id", { params: { id: merchantId } }))
  useTitle(data?.name ?? merchants.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{data?.name ?? merchants.title}</h1>
        {data !== undefined && <Pill tone={data.status === "active" ? "good" : "bad"}>{merchants[data.status]}</Pill>}
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && <Facts merchant={data} />}
    </div>
  )
}

const Facts = ({ merchant }: { readonly merchant: Shown }) => {
  const { merchants, people } = useOperatorTexts()
  const { texts, language } = useWords()
  const { id, idn, mode, owner, tariff, tariffUntil, usedThisMonth, usedToday, counts } = merchant
  const until = tariffUntil === null ? merchants.endless : day(Date.parse(tariffUntil), language)
  return (
    <Card title={id} text={idn}>
      <dl className={styles["facts"]}>
        <div>
          <dt>{merchants.owner}</dt>
          <dd>
            <Link to="/operator/people/$accountId" params={{ accountId: owner.id }}>
              {owner.name ?? people.unnamed}
            </Link>{" "}
            {owner.phone}
          </dd>
        </div>
        <div>
          <dt>{texts.shell.mode}</dt>
          <dd>{texts.shell[mode]}</dd>
        </div>
        <div>
          <dt>{merchants.tariff}</dt>
          <dd>
            {tariff} · {until}
          </dd>
        </div>
        <div>
          <dt>{merchants.used}</dt>
          <dd>
            {count(usedToday)} / {count(usedThisMonth)}
          </dd>
        </div>
        <div>
          <dt>{merchants.counts}</dt>
          <dd>
            {counts.members} / {counts.keys} / {counts.cashiers}
          </dd>
        </div>
      </dl>
      <Acts merchant={merchant} />
    </Card>
  )
}

const Acts = ({ merchant }: { readonly merchant: Shown }) => {
  const { merchants, people, journal } = useOperatorTexts()
  const queries = useQueryClient()
  const [tariff, setTariff] = useState(merchant.tariff)
  const [months, setMonths] = useState("1")
  const { data: catalogue } = useQuery(reading("GET /panel/operator/tariffs", {}))
  const known = catalogue?.tariffs.map(({ code, name }) => [code, `${name} (${code})`] as const) ?? []
  // One that is in the catalogue no more is shown, and refused.
  const offered = known.some(([code]) => code === tariff) ? known : [[tariff, tariff] as const, ...known]
  const given = { params: { id: merchant.id } }
  const again = () => void queries.invalidateQueries()
  const common = { told: () => people.done, onDone: again }
  const grant = () =>
    askFresh("POST /panel/operator/organizations/:id/tariff", {
      ...given,
      body: {
        tariff,
        months: months === "" ? null : Number(months),
        seenTariff: merchant.tariff,
        seenUntil: merchant.tariffUntil
      }
    })
  return (
    <div className={styles["acts"]}>
      <Act name={merchants.grant} text={merchants.grantText} act={grant} {...common}>
        <SelectField
          label={merchants.tariff}
          value={tariff}
          onChange={({ currentTarget }) => setTariff(currentTarget.value)}
          autoFocus
        >
          {offered.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <Field
          label={merchants.months}
          inputMode="numeric"
          value={months}
          onChange={({ currentTarget }) => setMonths(currentTarget.value.replaceAll(/\D/g, ""))}
        />
      </Act>
      {merchant.status === "active" ? (
        <Act
          name={merchants.archive}
          text={merchants.archiveText}
          look="bad"
          act={() => askFresh("POST /panel/operator/organizations/:id/archive", given)}
          {...common}
        />
      ) : (
        <Act
          name={merchants.restore}
          text={merchants.restoreText}
          act={() => askFresh("POST /panel/operator/organizations/:id/restore", given)}
          {...common}
        />
      )}
      <Link to="/operator/journal" search={{ organization: merchant.id }}>
        {journal.ofMerchant}
      </Link>
    </div>
  )
}
