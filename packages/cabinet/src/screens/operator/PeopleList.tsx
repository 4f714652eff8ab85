/** Everyone with an account, and those who are looked for. */
import { keepPreviousData } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { UserRound } from "lucide-react"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import rows from "../../parts/Rows.module.css"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { Find, Found, useSearched } from "./Lists.tsx"
import { useOperatorTexts } from "./Texts.ts"

const call = "GET /panel/operator/accounts"

const usePeople = (search: string) =>
  usePages({
    queryKey: [call, search],
    queryFn: ({ pageParam: after, signal }) =>
      ask(call, { query: { search, ...(after !== null && { after }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData
  })

/** The screen. */
export const PeopleList = () => {
  const { people } = useOperatorTexts()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = usePeople(useSearched())
  useTitle(people.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{people.title}</h1>
      </header>
      <Find hint={people.hint} />
      <Found
        title={people.title}
        text={people.text}
        items={data?.pages.flatMap(({ accounts }) => accounts) ?? null}
        failure={error}
        isCut={data?.pages.some(({ isCut }) => isCut) ?? false}
        hasMore={hasNextPage}
        isFetching={isFetchingNextPage}
        onMore={() => fetchNextPage()}
      >
        {(items) => (
          <ul className={rows["rows"]}>
            {items.map(({ id, name, phone, status }) => (
              <li key={id}>
                <UserRound size={22} aria-hidden className={rows["icon"]} />
                <span className={rows["words"]}>
                  <span className={rows["name"]}>
                    <Link to="/operator/people/$accountId" params={{ accountId: id }}>
                      {name ?? people.unnamed}
                    </Link>
                  </span>
                  <span className={rows["quiet"]}>
                    {phone} · {id}
                  </span>
                </span>
                <Pill tone={status === "active" ? "good" : "bad"}>{people[status]}</Pill>
              </li>
            ))}
          </ul>
        )}
      </Found>
    </div>
  )
}
