/** What differs in a month, open differences first. */
import { keepPreviousData, useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { day as dayText, noonOf } from "@tolem/http-server/pages/Formats"
import { useState } from "react"
import { ask } from "../../api/Session.ts"
import { useHere } from "../../app/Organization.ts"
import { usePages } from "../../app/Pages.ts"
import { useMay } from "../../app/Permissions.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import segments from "../../parts/Segments.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import { AcceptDialog } from "./AcceptDialog.tsx"
import type { Difference } from "./Difference.ts"
import type { Month } from "./Month.ts"
import styles from "./Reconciliation.module.css"
import { useReconciliationTexts } from "./Texts.ts"

const perPage = 50
const everyMs = 10_000

const useDifferences = (month: Month, status: "open" | "all") => {
  const { params, query } = useGiven()
  const call = "GET /panel/orgs/:organizationId/reconciliation/differences"
  const wanted = { ...query, ...month, limit: perPage, ...(status === "open" && { status }) }
  const pages = usePages({
    queryKey: [call, { params, query: wanted }],
    queryFn: ({ pageParam: offset, signal }) => ask(call, { params, query: { ...wanted, offset } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ offset, differences, total }) => {
      const next = offset + differences.length
      return differences.length === 0 || next >= total ? null : next
    },
    placeholderData: keepPreviousData,
    refetchInterval: everyMs
  })
  // One that has ended meanwhile has moved to another page.
  const found = new Map(pages.data?.pages.flatMap(({ differences }) => differences).map((each) => [each.id, each]))
  return { ...pages, differences: pages.data === undefined ? null : [...found.values()] }
}

/** The card. */
export const Differences = ({ month }: { readonly month: Month }) => {
  const words = useReconciliationTexts()
  const [status, setStatus] = useState<"open" | "all">("open")
  const [accepting, setAccepting] = useState<Difference | null>(null)
  const { differences, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useDifferences(month, status)
  return (
    <Card title={words.differences} text={words.differencesText}>
      <fieldset className={segments["segments"]}>
        <legend className="visually-hidden">{words.differences}</legend>
        {(["open", "all"] as const).map((each) => (
          <button key={each} type="button" aria-pressed={status === each} onClick={() => setStatus(each)}>
            {words.status[each]}
          </button>
        ))}
      </fieldset>
      {error !== null && <Refused failure={error} />}
      {differences === null && error === null && <Skeleton lines={4} tall />}
      {differences?.length === 0 && <p className={styles["note"]}>{status === "open" ? words.noneOpen : words.none}</p>}
      {differences !== null && differences.length > 0 && (
        <ul className={styles["differences"]}>
          {differences.map((each) => (
            <Row key={each.id} difference={each} onAccept={() => setAccepting(each)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {words.more}
        </Button>
      )}
      {accepting !== null && <AcceptDialog difference={accepting} onClose={() => setAccepting(null)} />}
    </Card>
  )
}

interface RowProps {
  readonly difference: Difference
  readonly onAccept: () => void
}

const Row = ({ difference, onAccept }: RowProps) => {
  const words = useReconciliationTexts()
  const { language } = useWords()
  const mayChange = useMay()("reconciliation:change") !== null
  const { amountHere, amountThere, cause, day, note, payment, resolution, status } = difference
  const amount = (given: number | null) => (given === null ? words.nothing : tenge(given))
  const when = dayText(noonOf(day), language, true)
  const facts = [when, ...(payment === null ? [] : [words.payment(payment)])]
  const isOpen = status === "open"
  return (
    <li>
      <div className={styles["difference"]}>
        <strong>{words.causes[cause]}</strong>
        <span>{words.amounts(amount(amountHere), amount(amountThere))}</span>
        <small>{facts.join(" · ")}</small>
        {isOpen && <small>{words.advice[cause]}</small>}
        {note !== null && <q>{note}</q>}
      </div>
      {resolution !== null && <Pill tone="calm">{words.resolutions[resolution]}</Pill>}
      <div className={styles["actions"]}>
        <ToInvoice difference={difference} />
        {isOpen && mayChange && <Check difference={difference} />}
        {isOpen && mayChange && (
          <Button look="second" isSmall onClick={onAccept}>
            {words.accept}
          </Button>
        )}
      </div>
    </li>
  )
}

const ToInvoice = ({ difference: { invoiceId } }: { readonly difference: Difference }) => {
  const words = useReconciliationTexts()
  const { organizationId } = useHere()
  if (invoiceId === null) return null
  return (
    <Link to="/$organizationId/invoices/$invoiceId" params={{ organizationId, invoiceId }} search={modeAlone}>
      {words.toInvoice}
    </Link>
  )
}

/** Causes that what the provider says of the invoice may end. */
const checkable: ReadonlyArray<Difference["cause"]> = ["not_noticed", "refund_open", "refund_failed"]

const Check = ({ difference: { id, invoiceId, cause } }: { readonly difference: Difference }) => {
  const words = useReconciliationTexts()
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const call = "POST /panel/orgs/:organizationId/reconciliation/differences/:id/check"
  const check = useMutation({
    mutationFn: () => ask(call, { params: { ...params, id }, query }),
    onSuccess: ({ status }) => {
      const isSettled = status === "resolved"
      notify(isSettled ? { title: words.settled, tone: "good" } : { title: words.stillDiffers, tone: "calm" })
    },
    onSettled: () => forget("GET /panel/orgs/:organizationId/reconciliation")
  })
  if (invoiceId === null || !checkable.includes(cause)) return null
  return (
    <>
      <Button look="second" isSmall isBusy={check.isPending} onClick={() => check.mutate()}>
        {words.check}
      </Button>
      {check.error !== null && <Refused failure={check.error} />}
    </>
  )
}
