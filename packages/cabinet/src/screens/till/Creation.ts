/** Makes invoices at the till. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { useForgetInvoices, useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { freshKey } from "../../browser/Keys.ts"

/** An invoice with all that is known of it. */
export type InvoiceFacts = Answer<"GET /panel/orgs/:organizationId/invoices/:id">

/** What is charged. */
export interface Order {
  readonly amount: number
  readonly description: string | null
  readonly kind: "qr" | "phone"
  /** Eleven digits, of an order to a phone. */
  readonly phone: string | null
  /** The id of the cashier; null: the server's choice. */
  readonly connectionId: string | null
}

const bodyOf = ({ amount, description, kind, phone, connectionId }: Order) => ({
  amount,
  kind,
  ...(connectionId !== null && { connectionId }),
  ...(description !== null && { description }),
  ...(phone !== null && { customer: { phone } })
})

/** The reading of one invoice of the organization that is looked at. */
export const useInvoiceReading = (id: string) => {
  const { params, query } = useGiven()
  return reading("GET /panel/orgs/:organizationId/invoices/:id", { params: { ...params, id }, query })
}

/**
 * Makes an invoice; what is pressed again after an answer was lost finds the invoice that was made. `onMade` is told
 * its id.
 */
export const useCreation = (onMade: (id: string) => void) => {
  const given = useGiven()
  const queries = useQueryClient()
  const forget = useForgetInvoices()
  const sent = useRef({ text: "", key: "" })
  return useMutation({
    mutationFn: (order: Order) => {
      const body = bodyOf(order)
      const text = JSON.stringify([given, body])
      if (sent.current.text !== text) sent.current = { text, key: freshKey() }
      const asking = { idempotencyKey: sent.current.key }
      return ask("POST /panel/orgs/:organizationId/invoices", { ...given, body }, asking)
    },
    onSuccess: (made) => {
      sent.current = { text: "", key: "" }
      const params = { ...given.params, id: made.id }
      const { queryKey } = reading("GET /panel/orgs/:organizationId/invoices/:id", { params, query: given.query })
      queries.setQueryData(queryKey, { ...made, events: [], refunds: [] })
      onMade(made.id)
      void forget()
    }
  })
}
