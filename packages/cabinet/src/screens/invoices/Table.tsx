/** Rows of invoices: a table on desks, cards on phones, the same for those who hear it. */
import { Link } from "@tanstack/react-router"
import { day, isoDay, minute } from "@tolem/http-server/pages/Formats"
import type { Answer } from "../../api/Contract.ts"
import { useHere } from "../../app/Organization.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { now } from "../../browser/Clock.ts"
import { tenge } from "../../parts/MoneyWords.ts"
import { Status } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Invoices.module.css"

type Entry = Answer<"GET /panel/orgs/:organizationId/invoices">["invoices"][number]

/** The table. */
export const Table = ({ rows }: { readonly rows: ReadonlyArray<Entry> }) => {
  const { texts } = useWords()
  const { when, about, status, amount, title } = texts.invoices
  return (
    <table className={styles["table"]} aria-label={title}>
      <thead>
        <tr>
          <th>{when}</th>
          <th>{about}</th>
          <th>{status}</th>
          <th>{amount}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  )
}

const Row = ({ row }: { readonly row: Entry }) => {
  const { texts, language } = useWords()
  const { organizationId } = useHere()
  const at = Date.parse(row.createdAt)
  const isToday = isoDay(at) === isoDay(now())
  return (
    <tr>
      <td>
        <Link
          to="/$organizationId/invoices/$invoiceId"
          params={{ organizationId, invoiceId: row.id }}
          search={modeAlone}
        >
          {isToday ? minute(at) : `${day(at, language, true)}, ${minute(at)}`}
        </Link>
      </td>
      <td>{aboutOf(row) ?? texts.invoice.kinds[row.kind]}</td>
      <td>
        <Status status={row.status} />
      </td>
      <td>
        {tenge(row.amount)}
        {row.refundedAmount > 0 && row.refundedAmount < row.amount && (
          <small>{texts.invoices.refunded(tenge(row.refundedAmount))}</small>
        )}
      </td>
    </tr>
  )
}

/** What an invoice is for, in the words of the merchant; null: they said nothing. */
const aboutOf = ({ description, externalOrderId, customer }: Entry): string | null =>
  description ?? externalOrderId ?? customer?.name ?? customer?.phone ?? null
