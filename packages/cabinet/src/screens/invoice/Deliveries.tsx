/** What an organization's own programs were told of an invoice. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import type { InvoiceFacts } from "../till/Creation.ts"
import type { Delivery } from "../webhooks/Delivery.ts"
import { DeliveryRow } from "../webhooks/DeliveryRow.tsx"
import { shortAddress } from "../webhooks/Endpoint.ts"
import styles from "../webhooks/Webhooks.module.css"

const DeliveryDialog = loadedPart(() =>
  import("../webhooks/DeliveryDialog.tsx").then(({ DeliveryDialog }) => DeliveryDialog)
)

const everyMs = 5000

/** The list; nothing if nothing was sent, or for who may not see it. */
export const Deliveries = ({ invoice }: { readonly invoice: InvoiceFacts }) => {
  const hooks = useWebhooksTexts()
  const may = useMay()
  const isWanted = may("webhooks:read") !== null
  const { params, query } = useGiven()
  const one = { params: { ...params, id: invoice.id }, query }
  const sent = reading("GET /panel/orgs/:organizationId/invoices/:id/deliveries", one)
  const { data } = useQuery({
    ...sent,
    enabled: isWanted,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === "pending") ? everyMs : false
  })
  const [shown, setShown] = useState<Delivery | null>(null)
  const deliveries = data?.deliveries ?? []
  const endpoints = reading("GET /panel/orgs/:organizationId/webhook-endpoints", { params, query })
  const known = useQuery({ ...endpoints, enabled: isWanted && deliveries.length > 0 })
  const addressOf = (id: string): string => {
    const url = known.data?.endpoints.find((endpoint) => endpoint.id === id)?.url
    return url === undefined ? hooks.gone : shortAddress(url)
  }
  // The log of an address goes with it.
  const isThere = (id: string) => known.data?.endpoints.some((endpoint) => endpoint.id === id) === true
  if (deliveries.length === 0 || known.data === undefined) return null
  return (
    <Card title={hooks.ofInvoice} text={hooks.ofInvoiceText}>
      <ul className={styles["deliveries"]}>
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            to={addressOf(delivery.endpointId)}
            onShow={() => setShown(isThere(delivery.endpointId) ? delivery : null)}
          />
        ))}
      </ul>
      {shown !== null && (
        <DeliveryDialog delivery={shown} mayResend={may("webhooks:change") !== null} onClose={() => setShown(null)} />
      )}
    </Card>
  )
}
