/** What may be done with a subscription that is not over. */
import { useMutation } from "@tanstack/react-query"
import { Ban, Pause, Pencil, Play, Zap } from "lucide-react"
import { useState } from "react"
import { ask } from "../../api/Session.ts"
import { useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused, useExplanation } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { LoadedDialog } from "./NewSubscription.tsx"
import { runDone, runFailed, runKey } from "./RunTries.ts"
import { type ShownSubscription, useForgetSubscriptions } from "./Subscription.ts"
import { useSubscriptionsTexts } from "./Texts.ts"

interface OfSubscription {
  readonly subscription: ShownSubscription
}

/** The buttons. */
export const SubscriptionActions = ({ subscription }: OfSubscription) => {
  const words = useSubscriptionsTexts()
  const [isCancelling, setCancelling] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const switching = useSwitch(subscription.id)
  const run = useRun(subscription.id)
  const isPaused = subscription.status === "paused"
  return (
    <div className={rows["actions"]}>
      <Button isSmall isBusy={run.isPending} onClick={() => run.mutate()}>
        <Zap size={18} aria-hidden />
        {words.runNow}
      </Button>
      <Button look="plain" isSmall isBusy={switching.isPending} onClick={() => switching.mutate(!isPaused)}>
        {isPaused ? <Play size={18} aria-hidden /> : <Pause size={18} aria-hidden />}
        {isPaused ? words.resume : words.pause}
      </Button>
      <Button look="plain" isSmall onClick={() => setChanging(true)}>
        <Pencil size={18} aria-hidden />
        {words.change}
      </Button>
      <Button look="bad" isSmall onClick={() => setCancelling(true)}>
        <Ban size={18} aria-hidden />
        {words.cancel}
      </Button>
      {isCancelling && <Cancelling subscription={subscription} onClose={() => setCancelling(false)} />}
      {isChanging && <LoadedDialog subscription={subscription} onClose={() => setChanging(false)} />}
    </div>
  )
}

/** Pauses it or resumes it. */
const useSwitch = (id: string) => {
  const words = useSubscriptionsTexts()
  const { params, query } = useGiven()
  const forget = useForgetSubscriptions()
  const notify = useNotify()
  const explain = useExplanation()
  return useMutation({
    mutationFn: (isPaused: boolean) => {
      const given = { params: { ...params, id }, query }
      return isPaused
        ? ask("POST /panel/orgs/:organizationId/subscriptions/:id/pause", given)
        : ask("POST /panel/orgs/:organizationId/subscriptions/:id/resume", given)
    },
    onSuccess: (_, isPaused) => notify({ title: isPaused ? words.paused : words.resumed }),
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" }),
    onSettled: forget
  })
}

/** Makes an invoice at once; after no answer, the same one again. */
const useRun = (id: string) => {
  const words = useSubscriptionsTexts()
  const { params, query } = useGiven()
  const forget = useForgetSubscriptions()
  const notify = useNotify()
  const explain = useExplanation()
  return useMutation({
    mutationFn: () =>
      ask(
        "POST /panel/orgs/:organizationId/subscriptions/:id/run",
        { params: { ...params, id }, query },
        { idempotencyKey: runKey(id) }
      ),
    onSuccess: () => {
      runDone(id)
      notify({ title: words.ran, tone: "good" })
    },
    onError: (failure) => {
      runFailed(id, failure)
      const { title, advice } = explain(failure)
      notify({ title, tone: "bad", ...(advice !== null && { text: advice }) })
    },
    onSettled: forget
  })
}

const Cancelling = ({ subscription: { id }, onClose }: OfSubscription & { readonly onClose: () => void }) => {
  const words = useSubscriptionsTexts()
  const { params, query } = useGiven()
  const forget = useForgetSubscriptions()
  const notify = useNotify()
  const cancel = useMutation({
    mutationFn: () =>
      ask("POST /panel/orgs/:organizationId/subscriptions/:id/cancel", { params: { ...params, id }, query }),
    onSuccess: () => {
      notify({ title: words.cancelled })
      onClose()
    },
    onSettled: forget
  })
  return (
    <Dialog title={words.cancel} text={words.cancelText} onClose={onClose}>
      {cancel.error !== null && <Refused failure={cancel.error} />}
      <Button look="bad" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
        {words.cancel}
      </Button>
    </Dialog>
  )
}
