/** The addresses that an organization's own programs hear at of what happens, and how well each does. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ChevronRight, Webhook as Icon, Plus } from "lucide-react"
import { useState } from "react"
import { useHere } from "../app/Organization.ts"
import { useMay } from "../app/Permissions.ts"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { modeAlone } from "../app/Sections.tsx"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { loadedPart } from "../parts/LoadedPart.tsx"
import { Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWebhooksTexts } from "../parts/WebhookWords.ts"
import { useWords } from "../parts/Words.tsx"
import { type Endpoint, shortAddress } from "./webhooks/Endpoint.ts"
import { HealthPill, useHealthText } from "./webhooks/Health.tsx"
import styles from "./webhooks/Webhooks.module.css"

const EndpointDialog = loadedPart(() =>
  import("./webhooks/EndpointDialog.tsx").then(({ EndpointDialog }) => EndpointDialog)
)

const everyMs = 15_000

/** The screen. */
export const Webhooks = () => {
  const { texts } = useWords()
  const hooks = useWebhooksTexts()
  const { mode } = useHere()
  const list = reading("GET /panel/orgs/:organizationId/webhook-endpoints", useGiven())
  const { data, error } = useQuery({ ...list, refetchInterval: everyMs })
  const mayChange = useMay()("webhooks:change") !== null
  const [isAdding, setAdding] = useState(false)
  useTitle(hooks.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{hooks.title}</h1>
        {mayChange && (
          <Button isSmall onClick={() => setAdding(true)}>
            <Plus size={18} aria-hidden />
            {hooks.create}
          </Button>
        )}
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={3} tall />}
      {data?.endpoints.length === 0 && <Card title={hooks.none} text={hooks.noneText} />}
      {data !== undefined && data.endpoints.length > 0 && (
        <Card title={texts.shell[mode]} text={hooks.about}>
          <ul className={rows["rows"]}>
            {data.endpoints.map((endpoint) => (
              <EndpointRow key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        </Card>
      )}
      {isAdding && <EndpointDialog endpoint={null} onClose={() => setAdding(false)} />}
    </div>
  )
}

const EndpointRow = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const { organizationId } = useHere()
  const { allEvents, events } = useWebhooksTexts()
  const health = useHealthText(endpoint)
  return (
    <li className={styles["row"]}>
      <Icon size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          <Link
            to="/$organizationId/webhooks/$endpointId"
            params={{ organizationId, endpointId: endpoint.id }}
            search={modeAlone}
          >
            {shortAddress(endpoint.url)}
          </Link>
          <HealthPill endpoint={endpoint} />
        </span>
        <span className={rows["quiet"]}>
          {endpoint.events.length === 0 ? allEvents : endpoint.events.map((kind) => events[kind]).join(" · ")}
        </span>
        {health !== null && <span className={rows["quiet"]}>{health}</span>}
      </span>
      <ChevronRight size={20} aria-hidden className={rows["icon"]} />
    </li>
  )
}
