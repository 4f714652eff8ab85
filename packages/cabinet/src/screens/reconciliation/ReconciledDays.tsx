/** The days of a month, each of each cashier, with what both sides had. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { day as dayText, noonOf } from "@tolem/http-server/pages/Formats"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { useMay } from "../../app/Permissions.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { Month } from "./Month.ts"
import styles from "./Reconciliation.module.css"
import { useReconciliationTexts } from "./Texts.ts"

type ReconciledDay = Answer<"GET /panel/orgs/:organizationId/reconciliation">["days"][number]

const everyMs = 10_000

/** What is known of the days of a month. */
const useDays = (month: Month) => {
  const { params, query } = useGiven()
  const days = reading("GET /panel/orgs/:organizationId/reconciliation", { params, query: { ...query, ...month } })
  return useQuery({ ...days, refetchInterval: everyMs })
}

/** The names of cashiers. Those of cashiers who are gone are not known. */
const useNames = (): ReadonlyMap<string, string> => {
  const { data } = useQuery(reading("GET /panel/orgs/:organizationId/connections", useGiven()))
  return new Map(data?.connections.map(({ id, name }) => [id, name]))
}

/** The card. */
export const ReconciledDays = ({ month }: { readonly month: Month }) => {
  const words = useReconciliationTexts()
  const { data, error } = useDays(month)
  const names = useNames()
  return (
    <Card title={words.days} text={words.daysText}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data?.isAble === false && <p className={styles["note"]}>{words.noList}</p>}
      {data?.isAble === true && data.days.length === 0 && <p className={styles["note"]}>{words.noDays}</p>}
      {data !== undefined && data.days.length > 0 && (
        <table className={styles["days"]} aria-label={words.days}>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.here}</th>
              <th scope="col">{words.there}</th>
              <th scope="col">{words.result}</th>
            </tr>
          </thead>
          <tbody>
            {data.days.map((day) => (
              <Row key={`${day.day} ${day.connectionId}`} day={day} name={names.get(day.connectionId) ?? ""} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

const Row = ({ day, name }: { readonly day: ReconciledDay; readonly name: string }) => {
  const words = useReconciliationTexts()
  const { language } = useWords()
  return (
    <tr>
      <th scope="row">
        {dayText(noonOf(day.day), language, true)}
        <small>{name}</small>
      </th>
      <td data-name={words.here}>
        <Side side={day.here} />
      </td>
      <td data-name={words.there}>
        <Side side={day.there} />
      </td>
      <td>
        <div className={styles["result"]}>
          <Result day={day} />
          <Again day={day} />
        </div>
      </td>
    </tr>
  )
}

const Side = ({ side }: { readonly side: ReconciledDay["here"] }) => {
  if (side === null) return <>–</>
  return (
    <>
      {tenge(side.paid)}
      {side.refunded > 0 && <small>−{tenge(side.refunded)}</small>}
    </>
  )
}

const Result = ({ day }: { readonly day: ReconciledDay }) => {
  const words = useReconciliationTexts()
  const { open, status, fault } = day
  return (
    <>
      {open > 0 && <Pill tone="bad">{words.open(open)}</Pill>}
      {open === 0 && status === "compared" && (
        <Pill tone={isAlike(day) ? "good" : "calm"}>{isAlike(day) ? words.alike : words.closed}</Pill>
      )}
      {open === 0 && status === "waiting" && <Pill tone="wait">{words.waits}</Pill>}
      {open === 0 && status === "failed" && <Pill tone="bad">{words.failed}</Pill>}
      {fault !== null && <small>{words.faults[fault]}</small>}
    </>
  )
}

const isAlike = ({ here, there }: ReconciledDay): boolean =>
  here?.paid === there?.paid && here?.refunded === there?.refunded

const Again = ({ day: { day, connectionId, status } }: { readonly day: ReconciledDay }) => {
  const words = useReconciliationTexts()
  const { language } = useWords()
  const mayChange = useMay()("reconciliation:change") !== null
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const compare = useMutation({
    mutationFn: () =>
      ask("POST /panel/orgs/:organizationId/reconciliation", { params, query, body: { day, connectionId } }),
    onSuccess: () => notify({ title: words.asked, tone: "good" }),
    onSettled: () => forget("GET /panel/orgs/:organizationId/reconciliation")
  })
  if (!mayChange || status === "waiting") return null
  return (
    <>
      <Button look="plain" isSmall isBusy={compare.isPending} onClick={() => compare.mutate()}>
        {words.again}
        <span className="visually-hidden">: {dayText(noonOf(day), language)}</span>
      </Button>
      {compare.error !== null && <Refused failure={compare.error} />}
    </>
  )
}
