/** An invoice as it is now: the server tells of each change as it happens. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { ask } from "../../api/Session.ts"
import { useForgetInvoices, useGiven } from "../../app/Places.ts"
import { later, repeatedly } from "../../browser/Clock.ts"
import { watchInvoice } from "../../browser/Invoices.ts"
import { type InvoiceFacts, useInvoiceReading } from "./Creation.ts"

type Standing = Pick<InvoiceFacts, "status">

/** Whether a payment may still come of it by itself. */
export const isOpen = ({ status }: Standing): boolean => status === "new" || status === "pending"

/** Whether money may still come late, of a code that was scanned before the end. */
export const mayPayLate = ({ status }: Standing): boolean => status === "expired" || status === "cancelled"

const lateEveryMs = 3000
const lateForMs = 10 * 60_000

/**
 * The invoice. `onPaid` is called when it is paid while it is looked at; lists that hold it are read anew then. With
 * `isPatient` it is looked at for some minutes more after it has expired or was cancelled: the stream ends there, but
 * money may come late.
 */
export const useLiveInvoice = (id: string, onPaid: () => void = () => undefined, isPatient = false) => {
  const query = useQuery(useInvoiceReading(id))
  const forget = useForgetInvoices()
  const { data, refetch } = query
  const isWatched = data === undefined || isOpen(data)
  useEffect(() => (isWatched ? watchInvoice(id, () => void refetch()) : undefined), [id, isWatched, refetch])
  const isAwaited = isPatient && data !== undefined && mayPayLate(data)
  useEffect(() => {
    if (!isAwaited) return undefined
    const stop = repeatedly(lateEveryMs, () => void refetch({ cancelRefetch: false }))
    const forgo = later(lateForMs, stop)
    return () => {
      stop()
      forgo()
    }
  }, [isAwaited, refetch])
  const told = useRef({ forget, onPaid, status: data?.status })
  told.current.forget = forget
  told.current.onPaid = onPaid
  useEffect(() => {
    const { status: before } = told.current
    told.current.status = data?.status
    if (before === undefined || before === data?.status) return
    const wasUnpaid = isOpen({ status: before }) || mayPayLate({ status: before })
    if (data?.status === "paid" && wasUnpaid) told.current.onPaid()
    void told.current.forget()
  }, [data?.status])
  return query
}

/** Reads an invoice anew, a live one as the bank has it at this moment. Rejects if it cannot be read. */
export const useReadNow = (id: string): (() => Promise<InvoiceFacts>) => {
  const queries = useQueryClient()
  const { params, query } = useGiven()
  const { queryKey } = useInvoiceReading(id)
  return async () => {
    const given = { params: { ...params, id }, query: { ...query, live: 1 } }
    const found = await ask("GET /panel/orgs/:organizationId/invoices/:id", given)
    // A reading that began before must not put what it brings in place of this.
    await queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, found)
    return found
  }
}
