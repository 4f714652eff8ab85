/** What may be done with an endpoint: try it, change it, pause it, give it a new secret, remove it. */
import { useMutation } from "@tanstack/react-query"
import { KeyRound, Pause, Pencil, Play, Send, Trash2 } from "lucide-react"
import { useState } from "react"
import { ask } from "../../api/Session.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { useRemoval } from "../../app/Removal.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { NameConfirm } from "../../parts/NameConfirm.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused, useExplanation } from "../../parts/Refused.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import type { Endpoint } from "./Endpoint.ts"
import { SecretDialog } from "./SecretDialog.tsx"
import { TestResult } from "./TestResult.tsx"
import styles from "./Webhooks.module.css"

const EndpointDialog = loadedPart(() => import("./EndpointDialog.tsx").then(({ EndpointDialog }) => EndpointDialog))

const endpoints = "GET /panel/orgs/:organizationId/webhook-endpoints"

interface OfEndpoint {
  readonly endpoint: Endpoint
}

/** Path and query of a call about one endpoint. */
const useOne = (id: string) => {
  const { params, query } = useGiven()
  return { params: { ...params, id }, query }
}

/** The buttons, and what comes of a test. */
export const EndpointActions = ({ endpoint }: OfEndpoint) => {
  const hooks = useWebhooksTexts()
  const [dialog, setDialog] = useState<"change" | "rotate" | "remove" | null>(null)
  const close = () => setDialog(null)
  const one = useOne(endpoint.id)
  const forget = useForget()
  const switching = useSwitch(endpoint.id)
  const test = useMutation({
    mutationFn: () => ask("POST /panel/orgs/:organizationId/webhook-endpoints/:id/test", one),
    onSuccess: () => forget(endpoints)
  })
  return (
    <>
      <div className={styles["actions"]}>
        <Button isSmall isBusy={test.isPending} onClick={() => test.mutate()}>
          <Send size={18} aria-hidden />
          {hooks.test}
        </Button>
        <Button look="plain" isSmall isBusy={switching.isPending} onClick={() => switching.mutate(!endpoint.disabled)}>
          {endpoint.disabled ? <Play size={18} aria-hidden /> : <Pause size={18} aria-hidden />}
          {endpoint.disabled ? hooks.resume : hooks.pause}
        </Button>
        <Button look="plain" isSmall onClick={() => setDialog("change")}>
          <Pencil size={18} aria-hidden />
          {hooks.change}
        </Button>
        <Button look="plain" isSmall onClick={() => setDialog("rotate")}>
          <KeyRound size={18} aria-hidden />
          {hooks.rotate}
        </Button>
        <Button look="bad" isSmall onClick={() => setDialog("remove")}>
          <Trash2 size={18} aria-hidden />
          {hooks.remove}
        </Button>
      </div>
      {test.error !== null && <Refused failure={test.error} />}
      {test.data !== undefined && <TestResult key={test.data.id} endpoint={endpoint} deliveryId={test.data.id} />}
      {dialog === "change" && <EndpointDialog endpoint={endpoint} onClose={close} />}
      {dialog === "rotate" && <Rotation endpoint={endpoint} onClose={close} />}
      {dialog === "remove" && <Removal endpoint={endpoint} onClose={close} />}
    </>
  )
}

/** Switches an endpoint off or on; either can be undone at once. */
const useSwitch = (id: string) => {
  const hooks = useWebhooksTexts()
  const one = useOne(id)
  const forget = useForget()
  const notify = useNotify()
  const explain = useExplanation()
  const change = useMutation({
    mutationFn: (disabled: boolean) =>
      ask("PATCH /panel/orgs/:organizationId/webhook-endpoints/:id", { ...one, body: { disabled } }),
    onSuccess: (_, disabled) =>
      notify({ title: disabled ? hooks.paused : hooks.resumed, undo: () => change.mutate(!disabled) }),
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" }),
    onSettled: () => forget(endpoints)
  })
  return change
}

interface DialogProps extends OfEndpoint {
  readonly onClose: () => void
}

const Rotation = ({ endpoint, onClose }: DialogProps) => {
  const hooks = useWebhooksTexts()
  const one = useOne(endpoint.id)
  const forget = useForget()
  const rotation = useMutation({
    mutationFn: () => ask("POST /panel/orgs/:organizationId/webhook-endpoints/:id/rotate-secret", one),
    onSettled: () => forget(endpoints)
  })
  if (rotation.data !== undefined) {
    return (
      <SecretDialog title={hooks.rotated} text={hooks.rotatedText} secret={rotation.data.secret} onClose={onClose} />
    )
  }
  return (
    <Dialog title={hooks.rotate} text={hooks.rotateText} onClose={onClose}>
      {rotation.error !== null && <Refused failure={rotation.error} />}
      <Button isBusy={rotation.isPending} onClick={() => rotation.mutate()}>
        {hooks.rotate}
      </Button>
    </Dialog>
  )
}

const Removal = ({ endpoint, onClose }: DialogProps) => {
  const hooks = useWebhooksTexts()
  const one = useOne(endpoint.id)
  const { host } = new URL(endpoint.url)
  const removal = useRemoval({
    id: endpoint.id,
    remove: () => ask("DELETE /panel/orgs/:organizationId/webhook-endpoints/:id", one),
    notice: hooks.removed,
    list: "/$organizationId/webhooks",
    calls: endpoints
  })
  return (
    <NameConfirm
      title={`${hooks.remove}: ${host}`}
      text={hooks.removeText}
      name={host}
      action={hooks.remove}
      isBusy={removal.isPending}
      failure={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  )
}
