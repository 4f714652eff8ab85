/** The runs of a subscription, newest first, with all invoices of each. */
import { Link } from "@tanstack/react-router"
import { instant } from "@tolem/http-server/pages/Formats"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import { useGiven } from "../../app/Places.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { soon } from "../../parts/Soon.ts"
import { Status } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Subscriptions.module.css"
import { useSubscriptionsTexts } from "./Texts.ts"

const call = "GET /panel/orgs/:organizationId/subscriptions/:id/runs"
const everyMs = 15_000

type Run = Answer<typeof call>["runs"][number]

/** The card. */
export const Runs = ({ subscriptionId }: { readonly subscriptionId: string }) => {
  const { history } = useSubscriptionsTexts()
  const given = useGiven()
  const params = { ...given.params, id: subscriptionId }
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = usePages({
    queryKey: [call, { params, query: given.query }],
    queryFn: ({ pageParam, signal }) => {
      const after = pageParam === null ? {} : { after: String(pageParam) }
      return ask(call, { params, query: { ...given.query, ...after } }, { signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: everyMs
  })
  const runs = [...new Map(data?.pages.flatMap((page) => page.runs).map((each) => [each.run, each])).values()]
  return (
    <Card title={history.title} text={runs.length > 0 ? history.caption : null}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={4} tall />}
      {data !== undefined && runs.length === 0 && <p className={styles["text"]}>{history.none}</p>}
      {runs.length > 0 && (
        <ul className={styles["runs"]}>
          {runs.map((run) => (
            <Row key={run.run} run={run} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {history.older}
        </Button>
      )}
    </Card>
  )
}

const Row = ({ run: { run, scheduledAt, invoices, tries, dueAt, faults } }: { readonly run: Run }) => {
  const words = useSubscriptionsTexts()
  const { language } = useWords()
  const { params } = useGiven()
  const now = useNow(everyMs)
  const due = dueAt === null ? null : soon(dueAt, now, language)
  const facts = [
    scheduledAt === null ? words.history.outOfSchedule : instant(Date.parse(scheduledAt), language),
    tries > 1 ? words.tryOf(count(Math.max(invoices.length, 1)), count(tries)) : null,
    due === null ? null : faults > 0 ? words.offeredAt(due) : tries > 1 ? words.againAt(due) : null
  ]
  return (
    <li>
      <strong>{words.run(count(run))}</strong>
      <small>{facts.filter(Boolean).join(" · ")}</small>
      <ul className={styles["invoices"]}>
        {invoices.map(({ id, amount, createdAt, status }) => (
          <li key={id}>
            <Link to="/$organizationId/invoices/$invoiceId" params={{ ...params, invoiceId: id }} search={modeAlone}>
              {tenge(amount)}
            </Link>
            <Status status={status} />
            <small>{instant(Date.parse(createdAt), language)}</small>
          </li>
        ))}
      </ul>
    </li>
  )
}
