/** The tariff: what is used of it, which there are, buying one, and its bills. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Answer } from "../api/Contract.ts"
import { useMay } from "../app/Permissions.ts"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { Card } from "../parts/Card.tsx"
import { codeOf, Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { type Sale, useOrder } from "./bills/Bill.ts"
import { BillList } from "./bills/BillList.tsx"
import { Catalogue } from "./bills/Catalogue.tsx"
import { PayDialog } from "./bills/PayDialog.tsx"
import { useBillsTexts } from "./bills/Texts.ts"
import { Tariff } from "./home/Tariff.tsx"

type Standing = Answer<"GET /panel/orgs/:organizationId/tariff">

/** The screen. */
export const Bills = () => {
  const words = useBillsTexts()
  const { data, error } = useQuery(reading("GET /panel/orgs/:organizationId/tariff", useGiven()))
  const names = new Map(data?.catalogue.map(({ code, name }) => [code, name]))
  useTitle(words.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{words.title}</h1>
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={6} tall />}
      {data !== undefined && <Tariff tariff={data.tariff} />}
      {data !== undefined && <Offers standing={data} />}
      <BillList names={names} />
    </div>
  )
}

const Offers = ({ standing }: { readonly standing: Standing }) => {
  const words = useBillsTexts()
  const canBuy = useMay()("tariff:buy") !== null
  const [sale, setSale] = useState<Sale | null>(null)
  const order = useOrder(setSale)
  const { isSold, catalogue, tariff } = standing
  const text = isSold ? (canBuy ? null : words.ownerBuys) : words.noSeller
  const name = catalogue.find(({ code }) => code === sale?.tariff)?.name ?? ""
  return (
    <Card title={words.catalogue} text={text}>
      {order.error !== null &&
        (codeOf(order.error) === "provider_error" ? (
          <p role="alert">{words.unavailable}</p>
        ) : (
          <Refused failure={order.error} />
        ))}
      <Catalogue
        catalogue={catalogue}
        current={tariff.code}
        ordering={order.isPending ? order.variables : null}
        onBuy={isSold && canBuy ? (code) => !order.isPending && order.mutate(code) : null}
      />
      {sale !== null && (
        <PayDialog
          key={sale.id}
          sale={sale}
          name={name}
          isBusy={order.isPending}
          onAgain={() => order.mutate(sale.tariff)}
          onClose={() => setSale(null)}
        />
      )}
    </Card>
  )
}
