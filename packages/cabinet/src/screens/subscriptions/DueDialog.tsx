/** The subscriptions of one day of the calendar. */
import { day, minute, noonOf } from "@tolem/http-server/pages/Formats"
import { useEffect } from "react"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import { useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import { SubscriptionRow } from "./SubscriptionRow.tsx"
import styles from "./Subscriptions.module.css"
import { useSubscriptionsTexts } from "./Texts.ts"

const call = "GET /panel/orgs/:organizationId/subscription-calendar/day"

interface DueDialogProps {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly onClose: () => void
}

/** Those whose invoices are expected on a day, in parts. A part may be empty while there are more behind it. */
const useDue = (date: string) => {
  const { params, query } = useGiven()
  const pages = usePages({
    queryKey: [call, { params, query: { ...query, from: date } }],
    queryFn: ({ pageParam, signal }) => {
      const after = pageParam === null ? {} : { after: pageParam }
      return ask(call, { params, query: { ...query, from: date, ...after } }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next
  })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const isLooking = data?.pages.at(-1)?.due.length === 0 && hasNextPage && error === null
  useEffect(() => {
    if (isLooking && !isFetchingNextPage) fetchNextPage()
  })
  // One whose date has moved meanwhile may come in two parts.
  const due = new Map(data?.pages.flatMap((page) => page.due).map((each) => [each.subscription.id, each]))
  return { ...pages, isLooking, due: [...due.values()] }
}

/** The dialog. */
export const DueDialog = ({ day: date, onClose }: DueDialogProps) => {
  const { calendar } = useSubscriptionsTexts()
  const { language } = useWords()
  const { due, data, error, isLooking, hasNextPage, isFetchingNextPage, fetchNextPage } = useDue(date)
  return (
    <Dialog title={day(noonOf(date), language)} onClose={onClose}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={4} tall />}
      {data !== undefined && due.length === 0 && !hasNextPage && <p className={styles["text"]}>{calendar.noneOfDay}</p>}
      {due.length > 0 && (
        <ul className={rows["rows"]}>
          {due.map(({ subscription, runsAt }) => (
            <SubscriptionRow
              key={subscription.id}
              subscription={subscription}
              when={runsAt.map((at) => minute(Date.parse(at))).join(", ")}
            />
          ))}
        </ul>
      )}
      {isLooking && (
        <p className={styles["text"]} role="status">
          {calendar.looking}
        </p>
      )}
      {hasNextPage && !isLooking && (
        <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {calendar.more}
        </Button>
      )}
    </Dialog>
  )
}
