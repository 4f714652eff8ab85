/** Ordering a tariff, and its bills as they are now. */
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"

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

/** All bills, page by page. */
export const useBills = () => {
  const { params, query } = useGiven()
  return useInfiniteQuery({
    queryKey: [call, { params, query }],
    queryFn: ({ pageParam: after, signal }) =>
      ask(call, { params, query: { ...query, ...(after !== null && { after }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next
  })
}

const everyMs = 3000
const newest = 10

/** The bill of a sale, looked at every few seconds until it has taken effect. */
export const useAwaitedBill = ({ id }: Pick<Sale, "id">): Bill | undefined => {
  const { params, query } = useGiven()
  const { data } = useQuery({
    ...reading(call, { params, query: { ...query, limit: newest } }),
    refetchInterval: ({ state }) => (isInForce(state.data?.bills.find((bill) => bill.id === id)) ? false : everyMs)
  })
  return data?.bills.find((bill) => bill.id === id)
}

/** Whether it was paid and its tariff has begun. */
export const isInForce = (bill: Bill | undefined): boolean => bill !== undefined && bill.appliedAt !== null
