/** An invoice as it is now: the server tells of each change as it happens. */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { useForgetInvoices } from "../../app/Places.ts"
import { watchInvoice } from "../../browser/Invoices.ts"
import { type InvoiceFacts, useInvoiceReading } from "./Creation.ts"

/** Whether a payment may still come of it by itself. */
export const isOpen = ({ status }: Pick<InvoiceFacts, "status">): boolean => status === "new" || status === "pending"

/** The invoice. `onPaid` is called when it is paid while it is looked at; lists that hold it are read anew then. */
export const useLiveInvoice = (id: string, onPaid: () => void = () => undefined) => {
  const query = useQuery(useInvoiceReading(id))
  const forget = useForgetInvoices()
  const { data, refetch } = query
  const isWatched = data === undefined || isOpen(data)
  useEffect(() => (isWatched ? watchInvoice(id, () => void refetch()) : undefined), [id, isWatched, refetch])
  const told = useRef({ forget, onPaid, status: data?.status })
  told.current.forget = forget
  told.current.onPaid = onPaid
  useEffect(() => {
    const { status: before } = told.current
    told.current.status = data?.status
    if (before === undefined || before === data?.status) return
    if (data?.status === "paid" && isOpen({ status: before })) told.current.onPaid()
    void told.current.forget()
  }, [data?.status])
  return query
}
