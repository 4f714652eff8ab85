/** One address that events are sent to: how it does, what was sent there, and what may be done with it. */
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { useHere } from "../app/Organization.ts"
import { useMay } from "../app/Permissions.ts"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { modeAlone } from "../app/Sections.tsx"
import { Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWebhooksTexts } from "../parts/WebhookWords.ts"
import { type Endpoint, shortAddress } from "./webhooks/Endpoint.ts"
import { EndpointActions } from "./webhooks/EndpointActions.tsx"
import { HealthPill, useHealthText } from "./webhooks/Health.tsx"
import { Log } from "./webhooks/Log.tsx"
import { Replay } from "./webhooks/Replay.tsx"
import { Verifier } from "./webhooks/Verifier.tsx"
import styles from "./webhooks/Webhooks.module.css"

const everyMs = 15_000

/** The screen. */
export const Webhook = () => {
  const hooks = useWebhooksTexts()
  const { organizationId } = useHere()
  const { endpointId = "" } = useParams({ strict: false })
  const { params, query } = useGiven()
  const given = { params: { ...params, id: endpointId }, query }
  const one = reading("GET /panel/orgs/:organizationId/webhook-endpoints/:id", given)
  const { data, error } = useQuery({ ...one, refetchInterval: everyMs })
  useTitle(data === undefined ? hooks.title : shortAddress(data.url))
  return (
    <div className={rows["screen"]}>
      <Link
        className={styles["back"] ?? ""}
        to="/$organizationId/webhooks"
        params={{ organizationId }}
        search={modeAlone}
      >
        <ArrowLeft size={18} aria-hidden />
        {hooks.back}
      </Link>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && <Content endpoint={data} />}
    </div>
  )
}

const Content = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const hooks = useWebhooksTexts()
  const health = useHealthText(endpoint)
  const mayChange = useMay()("webhooks:change") !== null
  const cashier = useCashierName(endpoint.connectionId)
  const kinds =
    endpoint.events.length === 0 ? hooks.allEvents : endpoint.events.map((kind) => hooks.events[kind]).join(" · ")
  return (
    <>
      <header className={styles["head"]}>
        <h1>{shortAddress(endpoint.url)}</h1>
        <HealthPill endpoint={endpoint} />
        <p>{[kinds, cashier === null ? null : hooks.ofCashier(cashier)].filter(Boolean).join(" · ")}</p>
      </header>
      {health !== null && (
        <p className={styles["health"]} role="status">
          {health}
        </p>
      )}
      {mayChange && <EndpointActions endpoint={endpoint} />}
      <div className={styles["columns"]}>
        <Log endpoint={endpoint} mayResend={mayChange} />
        <div className={styles["column"]}>
          {mayChange && <Replay endpointId={endpoint.id} />}
          <Verifier />
        </div>
      </div>
    </>
  )
}

/** What the cashier is called whose events an endpoint gets; null: those of all. */
const useCashierName = (connectionId: string | null): string | null => {
  const may = useMay()
  const cashiers = reading("GET /panel/orgs/:organizationId/connections", useGiven())
  const isWanted = connectionId !== null && may("connections:read") !== null
  const { data } = useQuery({ ...cashiers, enabled: isWanted })
  if (connectionId === null) return null
  return data?.connections.find(({ id }) => id === connectionId)?.name ?? connectionId
}
