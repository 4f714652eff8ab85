/** Refunds of which the bank has not said whether they were made: since when, when it is asked, and what to do. */
import { useMutation } from "@tanstack/react-query"
import { ago } from "@tolem/http-server/pages/Formats"
import { useState } from "react"
import { ask } from "../../api/Session.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import { soon } from "../../parts/Soon.ts"
import { useWords } from "../../parts/Words.tsx"
import { type ListedRefund, useForgetRefunds, useRefunds } from "./Refund.ts"
import { RefundRow } from "./RefundRow.tsx"
import styles from "./Refunds.module.css"
import { ResolveDialog } from "./ResolveDialog.tsx"
import { useRefundsTexts } from "./Texts.ts"

/** The card; nothing if all is clear. */
export const Unclear = () => {
  const words = useRefundsTexts()
  const { refunds, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useRefunds({ status: "unknown" })
  const [resolving, setResolving] = useState<ListedRefund | null>(null)
  const mayResolve = useMay()("refunds:resolve") !== null
  if (error !== null && refunds === null) return <Refused failure={error} />
  if (refunds === null || (refunds.length === 0 && !hasNextPage && resolving === null)) return null
  return (
    <Card title={words.unclear} text={words.unclearText}>
      <ul className={styles["refunds"]}>
        {refunds.map((refund) => (
          <UnclearRow key={refund.id} refund={refund} onResolve={mayResolve ? () => setResolving(refund) : null} />
        ))}
      </ul>
      {hasNextPage && (
        <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {words.older}
        </Button>
      )}
      {resolving !== null && <ResolveDialog refund={resolving} onClose={() => setResolving(null)} />}
    </Card>
  )
}

interface UnclearRowProps {
  readonly refund: ListedRefund
  /** Null: the person may not. */
  readonly onResolve: (() => void) | null
}

const minuteMs = 60_000

const UnclearRow = ({ refund, onResolve }: UnclearRowProps) => {
  const words = useRefundsTexts()
  const { language } = useWords()
  const now = useNow(minuteMs)
  const { checks, createdAt, id, invoiceId } = refund
  const plan =
    checks === null
      ? []
      : [
          ...(checks.asked > 0 ? [words.asked(checks.asked)] : []),
          checks.nextAt === null ? words.asksNoMore : words.asks(soon(checks.nextAt, now, language))
        ]
  return (
    <RefundRow refund={refund} facts={[words.since(ago(Date.parse(createdAt), now, language)), ...plan]}>
      {checks !== null && <AskNow refundId={id} invoiceId={invoiceId} />}
      {checks !== null && onResolve !== null && (
        <Button look="second" isSmall onClick={onResolve}>
          {words.resolve}
        </Button>
      )}
    </RefundRow>
  )
}

const AskNow = ({ refundId, invoiceId }: { readonly refundId: string; readonly invoiceId: string }) => {
  const words = useRefundsTexts()
  const { params, query } = useGiven()
  const notify = useNotify()
  const forget = useForgetRefunds()
  const look = useMutation({
    mutationFn: () =>
      ask("GET /panel/orgs/:organizationId/invoices/:id", {
        params: { ...params, id: invoiceId },
        query: { ...query, live: 1 }
      }),
    onSuccess: ({ refunds }) => {
      const isUnclear = refunds.some(({ id, status }) => id === refundId && status === "unknown")
      notify(isUnclear ? { title: words.stillUnclear, tone: "calm" } : { title: words.cleared, tone: "good" })
    },
    onSettled: forget
  })
  return (
    <>
      <Button look="second" isSmall isBusy={look.isPending} onClick={() => look.mutate()}>
        {words.askNow}
      </Button>
      {look.error !== null && <Refused failure={look.error} />}
    </>
  )
}
