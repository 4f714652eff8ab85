/** The requests of the last day that are kept, newest first. */
import { keepPreviousData } from "@tanstack/react-query"
import { instant } from "@tolem/http-server/pages/Formats"
import { useState } from "react"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import { useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Refused } from "../../parts/Refused.tsx"
import segments from "../../parts/Segments.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { TypedField } from "../invoices/TypedField.tsx"
import styles from "./Developers.module.css"
import { useTexts } from "./Texts.ts"

type Shown = Answer<"GET /panel/orgs/:organizationId/requests">["requests"][number]

const everyMs = 5000

interface Search {
  readonly errorsOnly: boolean
  readonly requestId: string
}

const useRequests = ({ errorsOnly, requestId }: Search) => {
  const { params, query } = useGiven()
  const call = "GET /panel/orgs/:organizationId/requests"
  const wanted = { ...query, ...(errorsOnly && { errors: "1" }), ...(requestId !== "" && { requestId }) }
  const pages = usePages({
    queryKey: [call, { params, query: wanted }],
    queryFn: ({ pageParam: after, signal }) =>
      ask(call, { params, query: { ...wanted, ...(after !== null && { after }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs
  })
  // A place may be taken by another request while pages are read.
  const found = new Map(pages.data?.pages.flatMap(({ requests }) => requests).map((each) => [each.id, each]))
  return { ...pages, requests: pages.data === undefined ? null : [...found.values()] }
}

/** The card. */
export const Requests = () => {
  const developers = useTexts()
  const hooks = useWebhooksTexts()
  const [search, setSearch] = useState<Search>({ errorsOnly: false, requestId: "" })
  const { requests, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useRequests(search)
  const isNarrow = search.errorsOnly || search.requestId !== ""
  const isEmpty = requests?.length === 0 && !isPlaceholderData
  return (
    <Card title={developers.log} text={developers.logText}>
      <search className={styles["search"]}>
        <fieldset className={segments["segments"]}>
          <legend className="visually-hidden">{developers.log}</legend>
          {[false, true].map((errorsOnly) => (
            <button
              key={String(errorsOnly)}
              type="button"
              aria-pressed={search.errorsOnly === errorsOnly}
              onClick={() => setSearch({ ...search, errorsOnly })}
            >
              {errorsOnly ? developers.errorsOnly : developers.all}
            </button>
          ))}
        </fieldset>
        <TypedField
          label={developers.requestId}
          type="search"
          placeholder={developers.requestIdHint}
          maxLength={128}
          value={search.requestId}
          onFind={(requestId) => setSearch((before) => ({ ...before, requestId }))}
        />
      </search>
      {error !== null && <Refused failure={error} />}
      {requests === null && error === null && <Skeleton lines={5} tall />}
      {isEmpty && <p className={styles["note"]}>{isNarrow ? developers.logNoMatch : developers.logNone}</p>}
      {requests !== null && requests.length > 0 && (
        <ul className={styles["requests"]} aria-busy={isPlaceholderData || undefined}>
          {requests.map((request) => (
            <Row key={request.id} request={request} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {hooks.older}
        </Button>
      )}
    </Card>
  )
}

const toneOf = (status: number) => (status >= 500 ? "bad" : status >= 400 ? "wait" : "good")

const Row = ({ request }: { readonly request: Shown }) => {
  const { ofKey } = useTexts()
  const { language } = useWords()
  const { method, route, status, code, at, durationMs, keyEnding, requestId } = request
  const facts = [instant(Date.parse(at), language), `${durationMs} ms`, ofKey(keyEnding)]
  return (
    <li>
      <span>
        <code>
          {method} {route}
        </code>
        {code !== null && <code className={styles["code"]}>{code}</code>}
        <small>{facts.join(" · ")}</small>
        <small>{requestId}</small>
      </span>
      <Pill tone={toneOf(status)}>{status}</Pill>
    </li>
  )
}
