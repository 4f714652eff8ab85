/** What needs a person, of one kind: whose it is, since when, and the way to where something can be done. */
import { Link } from "@tanstack/react-router"
import { ago, instant } from "@tolem/http-server/pages/Formats"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import { tenge } from "../../parts/MoneyWords.ts"
import { useNow } from "../../parts/Now.ts"
import rows from "../../parts/Rows.module.css"
import { useTitle } from "../../parts/Title.ts"
import { useFirstWords, useWords } from "../../parts/Words.tsx"
import { AskRefund } from "./AskRefund.tsx"
import { Found } from "./Lists.tsx"
import styles from "./Platform.module.css"
import { useOperatorTexts } from "./Texts.ts"

const call = "GET /panel/operator/work/:kind"
type Item = Answer<typeof call>["items"][number]

const everyMs = 60_000

const useItems = (kind: string) =>
  usePages({
    queryKey: [call, kind],
    queryFn: ({ pageParam: after, signal }) =>
      ask(call, { params: { kind }, query: after === null ? {} : { after } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    refetchInterval: everyMs
  })

/** The screen. */
export const WorkItems = ({ kind }: { readonly kind: string }) => {
  const { work } = useOperatorTexts().platform
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useItems(kind)
  const known = data?.pages[0]?.kind
  const title = known === undefined ? work.title : work.kinds[known]
  const items = data?.pages.flatMap((page) => page.items)
  useTitle(title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{title}</h1>
        <Link to="/operator/work">{work.back}</Link>
      </header>
      <Found
        title={title}
        text={known === undefined ? "" : work.advice[known]}
        items={items ?? null}
        failure={error}
        hasMore={hasNextPage}
        isFetching={isFetchingNextPage}
        onMore={() => fetchNextPage()}
        none={{ title: work.none, text: work.noneText }}
      >
        {(found) => (
          <ul className={styles["list"]}>
            {found.map((item) => (
              <Thing key={idsOf(item).join()} item={item} />
            ))}
          </ul>
        )}
      </Found>
    </div>
  )
}

/** What it is about, by ids alone: names and addresses may tell of customers. */
const idsOf = (item: Item): ReadonlyArray<string> =>
  [
    item.refundId,
    item.invoiceId,
    item.workItemId,
    item.orderId,
    item.connectionId,
    item.subscriptionId,
    item.endpointId,
    item.deliveryId,
    item.letterId
  ].flatMap((id) => id ?? [])

const Thing = ({ item }: { readonly item: Item }) => {
  const { work } = useOperatorTexts().platform
  const { language } = useWords()
  const { refusals } = useFirstWords()
  const now = useNow(everyMs)
  const { organization, since, until, amount, code, invoiceId, refundId } = item
  const facts = [
    amount === null ? null : tenge(amount),
    ago(Date.parse(since), now, language),
    until === null ? null : work.until(instant(Date.parse(until), language)),
    code === null ? null : (refusals[code] ?? code)
  ]
  return (
    <li className={styles["thing"]}>
      <div className={styles["item"]}>
        <Link to="/operator/merchants/$merchantId" params={{ merchantId: organization.id }}>
          {organization.name}
        </Link>
        <span>{facts.filter(Boolean).join(" · ")}</span>
        <small>{idsOf(item).join(" · ")}</small>
      </div>
      {invoiceId !== null && (
        <div className={styles["acts"]}>
          <Link to="/operator/looks" search={{ search: invoiceId }}>
            {work.look}
          </Link>
          {refundId !== null && <AskRefund refundId={refundId} />}
        </div>
      )}
    </li>
  )
}
