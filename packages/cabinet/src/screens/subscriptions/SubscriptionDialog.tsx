/** Makes a subscription or changes one. Beside the form stand the dates that would come of it. */
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useRef, useState } from "react"
import { ask } from "../../api/Session.ts"
import { useGiven } from "../../app/Places.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { freshKey } from "../../browser/Keys.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { codeOf, Refused, useExplanation } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { SubscriptionField } from "../../texts/SubscriptionsTexts.ts"
import { DatesPreview } from "./DatesPreview.tsx"
import { type ShownSubscription, useForgetSubscriptions } from "./Subscription.ts"
import { SubscriptionFields } from "./SubscriptionFields.tsx"
import styles from "./SubscriptionForm.module.css"
import { useSubscriptionsTexts } from "./Texts.ts"
import type { PairFault } from "./TypedMetadata.ts"
import {
  changesOfTyped,
  creationOfTyped,
  faultOfTyped,
  fieldRefused,
  type TypedFault,
  type TypedSubscription,
  typedSubscription
} from "./TypedSubscription.ts"

interface SubscriptionDialogProps {
  /** Null: a new one. */
  readonly subscription: ShownSubscription | null
  readonly onClose: () => void
}

/** Sends what was typed; a creation that is sent again is known as the same. A new one is shown afterwards. */
const useSaving = ({ subscription, onClose }: SubscriptionDialogProps, before: TypedSubscription) => {
  const words = useSubscriptionsTexts()
  const { params, query } = useGiven()
  const forget = useForgetSubscriptions()
  const notify = useNotify()
  const navigate = useNavigate()
  const sent = useRef({ text: "", key: "" })
  return useMutation({
    mutationFn: (typed: TypedSubscription) => {
      if (subscription !== null) {
        const one = { params: { ...params, id: subscription.id }, query }
        return ask("PATCH /panel/orgs/:organizationId/subscriptions/:id", {
          ...one,
          body: changesOfTyped(before, typed)
        })
      }
      const body = creationOfTyped(typed)
      const text = JSON.stringify(body)
      if (sent.current.text !== text) sent.current = { text, key: freshKey() }
      const asking = { idempotencyKey: sent.current.key }
      return ask("POST /panel/orgs/:organizationId/subscriptions", { params, query, body }, asking)
    },
    onSuccess: async ({ id }) => {
      notify({ title: subscription === null ? words.made : words.saved, tone: "good" })
      onClose()
      if (subscription !== null) return
      const to = "/$organizationId/subscriptions/$subscriptionId"
      await navigate({ to, params: { ...params, subscriptionId: id }, search: modeAlone })
    },
    onSettled: forget
  })
}

/** What is said at a field: what is wrong with what was typed, or why the server refused it. */
const useWrong = (fault: TypedFault | PairFault | null, failure: Error | null) => {
  const words = useSubscriptionsTexts()
  const { texts } = useWords()
  const explain = useExplanation()
  const said = { amount: words.amountWrong, phone: texts.login.phoneShort, whole: words.whole }
  const refused = failure === null ? undefined : fieldRefused(codeOf(failure))
  return (field: SubscriptionField | "metadata"): string | null => {
    if (fault !== null && fault.field !== "metadata" && fault.field === field) return said[fault.kind]
    if (refused !== field) return null
    return field === "metadata" ? words.metadata.tooMuch : explain(failure).title
  }
}

/** The dialog. */
export const SubscriptionDialog = (props: SubscriptionDialogProps) => {
  const { subscription, onClose } = props
  const words = useSubscriptionsTexts()
  const { texts } = useWords()
  const [before] = useState(() => typedSubscription(subscription))
  const [typed, setTyped] = useState(before)
  const [fault, setFault] = useState<TypedFault | PairFault | null>(null)
  const saving = useSaving(props, before)
  const wrongOf = useWrong(fault, saving.error)
  const change = (part: Partial<TypedSubscription>) => {
    setTyped((earlier) => ({ ...earlier, ...part }))
    setFault(null)
    if (saving.error !== null) saving.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (saving.isPending) return
    const found = faultOfTyped(typed)
    setFault(found)
    if (found === null) saving.mutate(typed)
    else {
      const name = found.field === "metadata" ? `metadata${found.pair}` : found.field
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus()
    }
  }
  const isOfForm = saving.error !== null && fieldRefused(codeOf(saving.error)) === undefined
  return (
    <Dialog title={subscription === null ? words.create : words.change} onClose={onClose} isWide>
      <div className={styles["editor"]}>
        <form onSubmit={submit} noValidate>
          <SubscriptionFields
            typed={typed}
            isNew={subscription === null}
            pairFault={fault?.field === "metadata" ? fault : null}
            wrongOf={wrongOf}
            onChange={change}
          />
          {isOfForm && <Refused failure={saving.error} />}
          <Button type="submit" isBusy={saving.isPending}>
            {subscription === null ? words.create : texts.common.save}
          </Button>
        </form>
        <DatesPreview subscription={subscription} before={before} typed={typed} />
      </div>
    </Dialog>
  )
}
