/** The sandbox at will: its clock, and events that happen when they are wanted. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { instant } from "@tolem/http-server/pages/Formats"
import { type FormEvent, useState } from "react"
import { ask } from "../../api/Session.ts"
import { useHere } from "../../app/Organization.ts"
import { useForget, useForgetInvoices, useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { SelectField } from "../../parts/Choice.tsx"
import { count } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Status } from "../../parts/Status.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Developers.module.css"
import { useTexts } from "./Texts.ts"

const steps = { hour: 3600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const
type Step = keyof typeof steps

const clockCall = "GET /panel/orgs/:organizationId/sandbox/clock"
const everyMs = 30_000
const dayMs = 86_400_000

/** The clock's card. */
export const Clock = () => {
  const { language } = useWords()
  const developers = useTexts()
  const given = useGiven()
  const forget = useForget()
  const forgetInvoices = useForgetInvoices()
  const { data, error } = useQuery({ ...reading(clockCall, given), refetchInterval: everyMs })
  const [step, setStep] = useState<Step>("day")
  const [passed, setPassed] = useState<string | null>(null)
  const moving = useMutation({
    mutationFn: async () => {
      let happened = 0
      // A request goes on for some seconds only: what falls due on the way may be much.
      for (let leftMs = steps[step] * 1000; leftMs > 0; ) {
        const seconds = Math.ceil(leftMs / 1000)
        const moved = await ask("POST /panel/orgs/:organizationId/sandbox/clock", { ...given, body: { seconds } })
        happened += moved.happened
        leftMs = moved.leftMs
        setPassed(moved.now)
      }
      return happened
    },
    onSettled: async () => {
      setPassed(null)
      await Promise.all([forget(clockCall, "GET /panel/orgs/:organizationId/subscriptions"), forgetInvoices()])
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!moving.isPending) moving.mutate()
  }
  return (
    <Card title={developers.clock} text={developers.clockText}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={1} />}
      {data !== undefined && (
        <p className={styles["shown"]}>
          {developers.shows(instant(Date.parse(data.now), language))}
          <small>{data.aheadMs === 0 ? developers.onTime : developers.ahead(daysOf(data.aheadMs))}</small>
        </p>
      )}
      <form className={styles["trial"]} onSubmit={submit}>
        <SelectField
          label={developers.by}
          value={step}
          onChange={({ currentTarget }) => setStep(currentTarget.value as Step)}
        >
          {Object.keys(steps).map((name) => (
            <option key={name} value={name}>
              {developers.steps[name as Step]}
            </option>
          ))}
        </SelectField>
        <Button type="submit" isBusy={moving.isPending}>
          {developers.advance}
        </Button>
      </form>
      {moving.error !== null && <Refused failure={moving.error} />}
      <p role="status" className={styles["note"]}>
        {passed !== null && developers.moving(instant(Date.parse(passed), language))}
        {moving.data !== undefined && !moving.isPending && developers.happened(count(moving.data))}
      </p>
    </Card>
  )
}

const daysOf = (ms: number): string => (Math.round((ms / dayMs) * 10) / 10).toString().replace(".", ",")

const events = [
  "invoice.paid",
  "invoice.failed",
  "invoice.expired",
  "invoice.cancelled",
  "invoice.refunded",
  "invoice.partially_refunded"
] as const
type Event = (typeof events)[number]

/** The card of events. */
export const Trigger = () => {
  const developers = useTexts()
  const hooks = useWebhooksTexts()
  const { organizationId } = useHere()
  const given = useGiven()
  const forgetInvoices = useForgetInvoices()
  const [event, setEvent] = useState<Event>("invoice.paid")
  const trigger = useMutation({
    mutationFn: () => ask("POST /panel/orgs/:organizationId/sandbox/events", { ...given, body: { event } }),
    onSuccess: forgetInvoices
  })
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!trigger.isPending) trigger.mutate()
  }
  return (
    <Card title={developers.trigger} text={developers.triggerText}>
      <form className={styles["trial"]} onSubmit={submit}>
        <SelectField
          label={developers.event}
          value={event}
          onChange={({ currentTarget }) => setEvent(currentTarget.value as Event)}
        >
          {events.map((name) => (
            <option key={name} value={name}>
              {hooks.events[name]}
            </option>
          ))}
        </SelectField>
        <Button type="submit" isBusy={trigger.isPending}>
          {developers.happen}
        </Button>
      </form>
      {trigger.error !== null && <Refused failure={trigger.error} />}
      <p role="status" className={styles["note"]}>
        {trigger.data !== undefined && !trigger.isPending && (
          <>
            <Link
              to="/$organizationId/invoices/$invoiceId"
              params={{ organizationId, invoiceId: trigger.data.id }}
              search={modeAlone}
            >
              {developers.triggered}
            </Link>{" "}
            <Status status={trigger.data.status} />
          </>
        )}
      </p>
    </Card>
  )
}
