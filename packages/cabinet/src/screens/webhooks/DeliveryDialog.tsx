/** One delivery with everything that was sent and answered. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { instant } from "@tolem/http-server/pages/Formats"
import { RotateCw } from "lucide-react"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { CodeText } from "../../parts/CodeText.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { type Delivery, type DeliveryDetail, deliveryTones, useResend } from "./Delivery.ts"
import { useOutcome } from "./Outcome.tsx"
import styles from "./Webhooks.module.css"

type Attempt = DeliveryDetail["attempts"][number]

interface DeliveryDialogProps {
  readonly delivery: Delivery
  readonly mayResend: boolean
  readonly onClose: () => void
}

const everyMs = 2000

/** The dialog. It changes as the delivery does. */
export const DeliveryDialog = ({ delivery, mayResend, onClose }: DeliveryDialogProps) => {
  const hooks = useWebhooksTexts()
  const { params, query } = useGiven()
  const given = { params: { ...params, id: delivery.endpointId, deliveryId: delivery.id }, query }
  const one = reading("GET /panel/orgs/:organizationId/webhook-endpoints/:id/deliveries/:deliveryId", given)
  const { data, error } = useQuery({
    ...one,
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? everyMs : false)
  })
  const resend = useResend()
  const { status } = data ?? delivery
  return (
    <Dialog title={hooks.delivery(hooks.events[delivery.event])} onClose={onClose}>
      <div className={styles["actions"]}>
        <Pill tone={deliveryTones[status]}>{hooks.statuses[status]}</Pill>
        <code className={styles["kind"]}>{delivery.event}</code>
      </div>
      {delivery.event !== "webhook.test" && (
        <Link
          to="/$organizationId/invoices/$invoiceId"
          params={{ ...params, invoiceId: delivery.invoiceId }}
          search={modeAlone}
          onClick={onClose}
        >
          {hooks.toInvoice}
        </Link>
      )}
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={4} tall />}
      {data?.attempts.length === 0 && <p className={styles["quiet"]}>{hooks.noAttempt}</p>}
      {data !== undefined && data.attempts.length > 0 && (
        <ol className={styles["attempts"]}>
          {data.attempts.toReversed().map((attempt, index) => (
            <AttemptPart key={attempt.number} attempt={attempt} isOpen={index === 0} />
          ))}
        </ol>
      )}
      {mayResend && (
        <Button isBusy={resend.isPending} onClick={() => resend.mutate(delivery, { onSuccess: onClose })}>
          <RotateCw size={18} aria-hidden />
          {hooks.resend}
        </Button>
      )}
    </Dialog>
  )
}

const AttemptPart = ({ attempt, isOpen }: { readonly attempt: Attempt; readonly isOpen: boolean }) => {
  const { language } = useWords()
  const hooks = useWebhooksTexts()
  const outcome = useOutcome()
  const headers = Object.entries(attempt.requestHeaders).map(([name, value]) => `${name}: ${value}`)
  const isGood = attempt.status !== null && attempt.status >= 200 && attempt.status < 300 && attempt.error === null
  return (
    <li>
      <details open={isOpen}>
        <summary data-good={isGood || undefined}>
          <strong>{hooks.attempt(attempt.number)}</strong>
          <small>
            {instant(Date.parse(attempt.startedAt), language)} · {outcome(attempt)}
          </small>
        </summary>
        <Text name={`${hooks.headers}: POST ${attempt.url}`} text={headers.join("\n")} />
        <BodiesPart attempt={attempt} />
      </details>
    </li>
  )
}

const BodiesPart = ({ attempt: { requestBody, status, responseBody } }: { readonly attempt: Attempt }) => {
  const hooks = useWebhooksTexts()
  if (requestBody === null) return <p className={styles["quiet"]}>{hooks.bodiesGone}</p>
  return (
    <>
      <Text name={hooks.request} text={indented(requestBody)} />
      {status !== null && <AnswerPart body={responseBody} />}
    </>
  )
}

const AnswerPart = ({ body }: { readonly body: string | null }) => {
  const hooks = useWebhooksTexts()
  if (body === null) return <p className={styles["quiet"]}>{hooks.hiddenAnswer}</p>
  if (body === "") return <p className={styles["quiet"]}>{hooks.emptyAnswer}</p>
  return <Text name={hooks.answer} text={indented(body)} />
}

const Text = ({ name, text }: { readonly name: string; readonly text: string }) =>
  text === "" ? null : (
    <figure className={styles["text"]}>
      <figcaption>{name}</figcaption>
      <CodeText name={name} text={text} />
    </figure>
  )

/** JSON with its lines, for people; all else as it is. Pure. */
const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
