/** Ordering a tariff, and its bills as they are now. */
import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import { useForget, useGiven } from "../../app/Places.ts"

const call = "GET /panel/orgs/:organizationId/bills"

/** What was ordered, and how it is paid. */
export type Sale = Answer<"POST /panel/orgs/:organizationId/tariff/orders">

/** A bill of the list. */
export type Bill = Answer<typeof call>["bills"][number]

/** Orders a month of a tariff; the bill that can still be paid is answered again. */
export const useOrder = (onOrdered: (sale: Sale) => void) => {
  const { params, query } = useGiven()
  const forget = useForget()
  return useMutation({
    mutationFn: (tariff: string) =>
      ask("POST /panel/orgs/:organizationId/tariff/orders", { params, query, body: { tariff } }),
    onSuccess: onOrdered,
    onSettled: () => forget(call)
  })
}

/** Whether its invoice can be paid. */
export const isPayable = ({ invoice }: { readonly invoice: { readonly status: string } | null }): boolean =>
  invoice?.status === "new" || invoice?.status === "pending"

/** Whether it may take effect any moment. */
const isAwaited = (bill: Bill): boolean =>
  bill.appliedAt === null && (isPayable(bill) || bill.invoice?.status === "paid")

const everyMs = 3000

/** All bills, page by page, looked at every few seconds for as long as one of them is to be paid. */
export const useBills = () => {
  const { params, query } = useGiven()
  const { data, ...rest } = usePages({
    queryKey: [call, { params, query }],
    queryFn: ({ pageParam: after, signal }) =>
      ask(call, { params, query: { ...query, ...(after !== null && { after }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ bills }) => bills.some(isAwaited)) ? everyMs : false)
  })
  return { ...rest, bills: data?.pages.flatMap((page) => page.bills) ?? null }
}

/** Has the tariff read anew, wherever it stands, when a bill has taken effect that had not before. */
export const useEffects = (bills: ReadonlyArray<Bill> | null): void => {
  const forget = useForget()
  const awaited = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (bills === null) return
    const isNew = bills.some(({ id, appliedAt }) => appliedAt !== null && awaited.current.has(id))
    awaited.current = new Set(bills.filter(isAwaited).map(({ id }) => id))
    if (isNew) void forget("GET /panel/orgs/:organizationId")
  }, [bills, forget])
}
