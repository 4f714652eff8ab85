/** Those who have still to be paid something, with their sums. */
import { keepPreviousData } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { HandCoins } from "lucide-react"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import { Card } from "../../parts/Card.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import rows from "../../parts/Rows.module.css"
import { useTitle } from "../../parts/Title.ts"
import { Found } from "./Lists.tsx"
import { useOperatorTexts } from "./Texts.ts"

const call = "GET /panel/operator/earnings"

const useEarners = () =>
  usePages({
    queryKey: [call],
    queryFn: ({ pageParam: after, signal }) => ask(call, { query: after === null ? {} : { after } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData
  })

/** The screen. */
export const EarnerList = () => {
  const { earnings, people } = useOperatorTexts()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useEarners()
  const items = data?.pages.flatMap(({ earners }) => earners) ?? null
  useTitle(earnings.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{earnings.title}</h1>
      </header>
      {items?.length === 0 ? (
        <Card title={earnings.nothing} text={earnings.nothingText} />
      ) : (
        <Found
          title={earnings.unpaid}
          text={earnings.text}
          items={items}
          failure={error}
          hasMore={hasNextPage}
          isFetching={isFetchingNextPage}
          onMore={() => fetchNextPage()}
        >
          {(earners) => (
            <ul className={rows["rows"]}>
              {earners.map(({ account: { id, name, phone }, accrued, accruedCount, paidOut }) => (
                <li key={id}>
                  <HandCoins size={22} aria-hidden className={rows["icon"]} />
                  <span className={rows["words"]}>
                    <span className={rows["name"]}>
                      <Link to="/operator/earnings/$accountId" params={{ accountId: id }}>
                        {name ?? people.unnamed}
                      </Link>
                    </span>
                    <span className={rows["quiet"]}>
                      {phone} · {earnings.count(accruedCount)} · {earnings.paid}: {tenge(paidOut)}
                    </span>
                  </span>
                  <strong>{tenge(accrued)}</strong>
                </li>
              ))}
            </ul>
          )}
        </Found>
      )}
    </div>
  )
}
