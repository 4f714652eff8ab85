/** What was sent to an endpoint, or waits to be. */
import { useMutation } from "@tanstack/react-query"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { useExplanation } from "../../parts/Refused.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"

/** A delivery, as the server tells of it. */
export type Delivery = Answer<"GET /panel/orgs/:organizationId/webhook-endpoints/:id/deliveries">["deliveries"][number]

/** The same with its attempts. */
export type DeliveryDetail = Answer<"GET /panel/orgs/:organizationId/webhook-endpoints/:id/deliveries/:deliveryId">

/** The colour of each status. */
export const deliveryTones = { pending: "wait", delivered: "good", failed: "bad" } as const

/** Has everything read anew that tells of deliveries. */
export const useForgetDeliveries = (): (() => Promise<void>) => {
  const forget = useForget()
  return () =>
    forget(
      "GET /panel/orgs/:organizationId/webhook-endpoints",
      "GET /panel/orgs/:organizationId/invoices/:id/deliveries"
    )
}

/** Sends the event of a delivery again. */
export const useResend = () => {
  const hooks = useWebhooksTexts()
  const { params, query } = useGiven()
  const forget = useForgetDeliveries()
  const notify = useNotify()
  const explain = useExplanation()
  return useMutation({
    mutationFn: ({ endpointId, id }: Pick<Delivery, "endpointId" | "id">) =>
      ask("POST /panel/orgs/:organizationId/webhook-endpoints/:id/deliveries/:deliveryId/resend", {
        params: { ...params, id: endpointId, deliveryId: id },
        query
      }),
    onSuccess: () => notify({ title: hooks.resent, tone: "good" }),
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" }),
    onSettled: () => forget()
  })
}
