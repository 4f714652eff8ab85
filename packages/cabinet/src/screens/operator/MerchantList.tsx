/** All organizations, and those that are looked for. */
import { keepPreviousData } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Building2 } from "lucide-react"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import rows from "../../parts/Rows.module.css"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { Find, Found, useSearched } from "./Lists.tsx"
import { useOperatorTexts } from "./Texts.ts"

const call = "GET /panel/operator/organizations"

const useMerchants = (search: string) =>
  usePages({
    queryKey: [call, search],
    queryFn: ({ pageParam: after, signal }) =>
      ask(call, { query: { search, ...(after !== null && { after }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData
  })

/** The screen. */
export const MerchantList = () => {
  const { merchants } = useOperatorTexts()
  const { texts } = useWords()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useMerchants(useSearched())
  useTitle(merchants.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{merchants.title}</h1>
      </header>
      <Find hint={merchants.hint} />
      <Found
        title={merchants.title}
        text={merchants.text}
        items={data?.pages.flatMap(({ organizations }) => organizations) ?? null}
        failure={error}
        isCut={data?.pages.some(({ isCut }) => isCut) ?? false}
        hasMore={hasNextPage}
        isFetching={isFetchingNextPage}
        onMore={() => fetchNextPage()}
      >
        {(items) => (
          <ul className={rows["rows"]}>
            {items.map(({ id, name, mode, status, tariff }) => (
              <li key={id}>
                <Building2 size={22} aria-hidden className={rows["icon"]} />
                <span className={rows["words"]}>
                  <span className={rows["name"]}>
                    <Link to="/operator/merchants/$merchantId" params={{ merchantId: id }}>
                      {name}
                    </Link>
                  </span>
                  <span className={rows["quiet"]}>
                    {tariff} · {texts.shell[mode]} · {id}
                  </span>
                </span>
                <Pill tone={status === "active" ? "good" : "bad"}>{merchants[status]}</Pill>
              </li>
            ))}
          </ul>
        )}
      </Found>
    </div>
  )
}
