/** The payments of today, newest first. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { isoDay, minute } from "@tolem/http-server/pages/Formats"
import { Volume2, VolumeX } from "lucide-react"
import { useState } from "react"
import type { Answer } from "../../api/Contract.ts"
import { useHere } from "../../app/Organization.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { useSums } from "../../app/Sums.ts"
import { now } from "../../browser/Clock.ts"
import { prefer, preferences } from "../../browser/Preferences.ts"
import { playPaid, readySound } from "../../browser/Sound.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Status } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import { isOpen } from "./LiveInvoice.ts"
import styles from "./Till.module.css"

type Row = Answer<"GET /panel/orgs/:organizationId/invoices">["invoices"][number]

const most = 12
const everyMs = 30_000

/** The list. */
export const Today = ({ onShow }: { readonly onShow: (id: string) => void }) => {
  const { texts } = useWords()
  const { till } = texts
  const { params, query } = useGiven()
  const given = { params, query: { ...query, from: isoDay(now()), limit: most } }
  const list = reading("GET /panel/orgs/:organizationId/invoices", given)
  const { data, error } = useQuery({ ...list, refetchInterval: everyMs })
  const sums = useSums({ from: isoDay(now()) })?.received ?? null
  return (
    <Card
      title={till.today}
      text={sums === null || sums.count === 0 ? null : till.received(tenge(sums.amount), count(sums.count))}
      action={<SoundSwitch />}
    >
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={4} tall />}
      {data?.invoices.length === 0 && <p className={styles["quiet"]}>{till.todayNone}</p>}
      {data !== undefined && data.invoices.length > 0 && (
        <>
          <ul className={styles["rows"]}>
            {data.invoices.map((row) => (
              <li key={row.id}>
                <TodayRow row={row} onShow={onShow} />
              </li>
            ))}
          </ul>
          <Link
            to="/$organizationId/invoices"
            params={params}
            search={({ mode }) => (mode === undefined ? {} : { mode })}
          >
            {till.all}
          </Link>
        </>
      )}
    </Card>
  )
}

interface TodayRowProps {
  readonly row: Row
  readonly onShow: (id: string) => void
}

/** One of them: what is awaited is shown to the customer again, all else is read. */
const TodayRow = ({ row, onShow }: TodayRowProps) => {
  const { organizationId } = useHere()
  const inside = (
    <>
      <time dateTime={row.createdAt}>{minute(Date.parse(row.createdAt))}</time>
      <span className={styles["about"]}>{row.description ?? row.customer?.name ?? row.externalOrderId}</span>
      <Status status={row.status} />
      <strong>{tenge(row.amount)}</strong>
    </>
  )
  return isOpen(row) ? (
    <button type="button" className={styles["row"]} onClick={() => onShow(row.id)}>
      {inside}
    </button>
  ) : (
    <Link
      className={styles["row"] ?? ""}
      to="/$organizationId/invoices/$invoiceId"
      params={{ organizationId, invoiceId: row.id }}
      search={({ mode }) => (mode === undefined ? {} : { mode })}
    >
      {inside}
    </Link>
  )
}

/** Whether payments are heard. Switched on, it is heard at once. */
const SoundSwitch = () => {
  const { texts } = useWords()
  const [isOn, setOn] = useState(() => preferences().silent !== true)
  const choose = () => {
    prefer({ silent: isOn ? true : undefined })
    setOn(!isOn)
    if (isOn) return
    readySound()
    playPaid()
  }
  return (
    <Button look="plain" isSmall aria-pressed={isOn} onClick={choose}>
      {isOn ? <Volume2 size={18} aria-hidden /> : <VolumeX size={18} aria-hidden />}
      {texts.till.sound}
    </Button>
  )
}
