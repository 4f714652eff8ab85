/** What was sent to an endpoint, newest first. */
import { keepPreviousData } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import { useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { Refused } from "../../parts/Refused.tsx"
import segments from "../../parts/Segments.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import type { Delivery } from "./Delivery.ts"
import { DeliveryRow } from "./DeliveryRow.tsx"
import type { Endpoint } from "./Endpoint.ts"
import styles from "./Webhooks.module.css"

const DeliveryDialog = loadedPart(() => import("./DeliveryDialog.tsx").then(({ DeliveryDialog }) => DeliveryDialog))

const statuses = ["pending", "delivered", "failed"] as const
const perPage = 25
const everyMs = 5000

/** The pages of the log so far. What was sent since a page was read moves it on: no row is shown twice. */
const useLog = (endpointId: string, status: string | undefined) => {
  const { params, query } = useGiven()
  const call = "GET /panel/orgs/:organizationId/webhook-endpoints/:id/deliveries"
  const given = { params: { ...params, id: endpointId }, query: { ...query, status, limit: perPage } }
  const pages = usePages({
    queryKey: [call, given],
    queryFn: ({ pageParam: offset, signal }) =>
      ask(
        call,
        {
          params: given.params,
          query: { ...query, limit: perPage, offset, ...(status !== undefined && { status }) }
        },
        { signal }
      ),
    initialPageParam: 0,
    getNextPageParam: ({ offset, deliveries, total }) => {
      const next = offset + deliveries.length
      return deliveries.length === 0 || next >= total ? null : next
    },
    placeholderData: keepPreviousData,
    refetchInterval: everyMs
  })
  const rows = new Map(pages.data?.pages.flatMap(({ deliveries }) => deliveries).map((each) => [each.id, each]))
  return { ...pages, rows: pages.data === undefined ? null : [...rows.values()] }
}

interface LogProps {
  readonly endpoint: Endpoint
  readonly mayResend: boolean
}

/** The log. Which of it is looked at stands in the address. */
export const Log = ({ endpoint, mayResend }: LogProps) => {
  const hooks = useWebhooksTexts()
  const { status } = useSearch({ strict: false })
  const { rows, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useLog(endpoint.id, status)
  const [shown, setShown] = useState<Delivery | null>(null)
  const isEmpty = rows?.length === 0 && !isPlaceholderData
  return (
    <Card title={hooks.log} text={hooks.logText}>
      {!(isEmpty && status === undefined) && <StatusFilter chosen={status} />}
      {error !== null && <Refused failure={error} />}
      {rows === null && error === null && <Skeleton lines={5} tall />}
      {isEmpty && (
        <p className={styles["quiet"]}>
          {status === undefined ? `${hooks.logNone}. ${hooks.logNoneText}` : hooks.logNoMatch}
        </p>
      )}
      {rows !== null && rows.length > 0 && (
        <ul className={styles["deliveries"]} aria-busy={isPlaceholderData || undefined}>
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} onShow={() => setShown(delivery)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {hooks.older}
        </Button>
      )}
      {shown !== null && <DeliveryDialog delivery={shown} mayResend={mayResend} onClose={() => setShown(null)} />}
    </Card>
  )
}

const StatusFilter = ({ chosen }: { readonly chosen: string | undefined }) => {
  const hooks = useWebhooksTexts()
  const navigate = useNavigate()
  const choose = (status: string | undefined) =>
    void navigate({
      to: ".",
      search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...(status !== undefined && { status }) }),
      replace: true
    })
  return (
    <fieldset className={segments["segments"]}>
      <legend className="visually-hidden">{hooks.log}</legend>
      {[undefined, ...statuses].map((status) => (
        <button key={status ?? ""} type="button" aria-pressed={status === chosen} onClick={() => choose(status)}>
          {status === undefined ? hooks.any : hooks.statuses[status]}
        </button>
      ))}
    </fieldset>
  )
}
