/** Adds an endpoint, and shows its secret this once; or changes one. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Refusal } from "../../api/Call.ts"
import { ask } from "../../api/Session.ts"
import { useHere } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Button } from "../../parts/Button.tsx"
import { CheckField, SelectField } from "../../parts/Choice.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused, useExplanation } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useWords } from "../../parts/Words.tsx"
import type { EventName } from "../../texts/WebhooksTexts.ts"
import { chosenEvents, type Endpoint, type EndpointWithSecret } from "./Endpoint.ts"
import { SecretDialog } from "./SecretDialog.tsx"

interface EndpointDialogProps {
  /** Null: a new one. */
  readonly endpoint: Endpoint | null
  readonly onClose: () => void
}

interface Draft {
  readonly url: string
  readonly events: ReadonlyArray<EventName>
  /** Empty: all cashiers. */
  readonly connectionId: string
}

/** Sends what was typed: a new endpoint, or what one is to be. */
const useSaving = (endpoint: Endpoint | null, onSaved: (made: EndpointWithSecret | null) => void) => {
  const { params, query } = useGiven()
  const forget = useForget()
  return useMutation({
    mutationFn: async ({ url, events, connectionId }: Draft): Promise<EndpointWithSecret | null> => {
      if (endpoint === null) {
        const body = { url, events, ...(connectionId !== "" && { connectionId }) }
        return ask("POST /panel/orgs/:organizationId/webhook-endpoints", { params, query, body })
      }
      const one = { params: { ...params, id: endpoint.id }, query }
      await ask("PATCH /panel/orgs/:organizationId/webhook-endpoints/:id", { ...one, body: { url, events } })
      return null
    },
    onSuccess: onSaved,
    onSettled: () => forget("GET /panel/orgs/:organizationId/webhook-endpoints")
  })
}

/** Whether a refusal is about the address, and so stands at its field. */
const isOfAddress = (failure: unknown): boolean =>
  failure instanceof Refusal && (failure.code === "invalid_url" || failure.code.startsWith("webhook_url_"))

/** The dialog: a form, then the secret of a new one. */
export const EndpointDialog = ({ endpoint, onClose }: EndpointDialogProps) => {
  const { texts } = useWords()
  const hooks = useWebhooksTexts()
  const notify = useNotify()
  const explain = useExplanation()
  const [url, setUrl] = useState(endpoint?.url ?? "")
  const [isAll, setAll] = useState(endpoint === null || endpoint.events.length === 0)
  const [events, setEvents] = useState<ReadonlyArray<EventName>>(endpoint?.events ?? ["invoice.paid"])
  const [connectionId, setConnectionId] = useState("")
  const [wrong, setWrong] = useState<"url" | "events" | null>(null)
  const saving = useSaving(endpoint, (made) => {
    if (made !== null) return
    notify({ title: hooks.saved })
    onClose()
  })
  if (saving.data) {
    return <SecretDialog title={hooks.ready} text={hooks.readyText} secret={saving.data.secret} onClose={onClose} />
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (saving.isPending) return
    const found = url.trim() === "" ? "url" : !isAll && events.length === 0 ? "events" : null
    setWrong(found)
    if (found === null) saving.mutate({ url: url.trim(), events: isAll ? [] : events, connectionId })
    else event.currentTarget.querySelector<HTMLInputElement>(found === "url" ? "input" : '[type="checkbox"]')?.focus()
  }
  const urlFault = wrong === "url" ? hooks.urlMissing : isOfAddress(saving.error) ? explain(saving.error).title : null
  return (
    <Dialog title={endpoint === null ? hooks.create : hooks.change} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label={hooks.url}
          hint={hooks.urlHint}
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={2000}
          placeholder="https://shop.example.kz/webhooks"
          value={url}
          wrong={urlFault}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          autoFocus
        />
        <Events isAll={isAll} chosen={events} onAll={setAll} onChoose={setEvents} />
        {wrong === "events" && (
          <p className={rows["wrong"]} role="alert">
            {hooks.eventsMissing}
          </p>
        )}
        {endpoint === null && <CashierField value={connectionId} onChange={setConnectionId} />}
        {saving.error !== null && urlFault === null && <Refused failure={saving.error} />}
        <Button type="submit" isBusy={saving.isPending}>
          {endpoint === null ? hooks.create : texts.common.save}
        </Button>
      </form>
    </Dialog>
  )
}

interface EventsProps {
  readonly isAll: boolean
  readonly chosen: ReadonlyArray<EventName>
  readonly onAll: (isAll: boolean) => void
  readonly onChoose: (chosen: ReadonlyArray<EventName>) => void
}

const Events = ({ isAll, chosen, onAll, onChoose }: EventsProps) => {
  const hooks = useWebhooksTexts()
  const toggle = (kind: EventName) =>
    onChoose(chosen.includes(kind) ? chosen.filter((each) => each !== kind) : [...chosen, kind])
  return (
    <fieldset className={rows["choices"]}>
      <legend>{hooks.which}</legend>
      <CheckField type="radio" name="which" label={hooks.allEvents} checked={isAll} onChange={() => onAll(true)} />
      <CheckField type="radio" name="which" label={hooks.chosen} checked={!isAll} onChange={() => onAll(false)} />
      {!isAll &&
        chosenEvents.map((kind) => (
          <CheckField
            key={kind}
            label={hooks.events[kind]}
            hint={<code>{kind}</code>}
            checked={chosen.includes(kind)}
            onChange={() => toggle(kind)}
          />
        ))}
    </fieldset>
  )
}

/** Whose events it gets; nothing in the sandbox, which has no cashiers, and where there is one at most. */
const CashierField = ({ value, onChange }: { readonly value: string; readonly onChange: (id: string) => void }) => {
  const hooks = useWebhooksTexts()
  const { invoices } = useWords().texts
  const { mode } = useHere()
  const isWanted = useMay()("connections:read") !== null && mode === "live"
  const cashiers = reading("GET /panel/orgs/:organizationId/connections", useGiven())
  const { data } = useQuery({ ...cashiers, enabled: isWanted })
  if (!isWanted || data === undefined || data.connections.length < 2) return null
  return (
    <SelectField label={hooks.cashier} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{invoices.anyCashier}</option>
      {data.connections.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
