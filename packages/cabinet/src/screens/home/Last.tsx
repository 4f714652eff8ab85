/** The last payments. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Card } from "../../parts/Card.tsx"
import { useWords } from "../../parts/Words.tsx"
import { Table } from "../invoices/Table.tsx"

const most = 5

/** The list; nothing if there are none. */
export const Last = () => {
  const { texts } = useWords()
  const { params, query } = useGiven()
  const given = { params, query: { ...query, status: "paid,partially_refunded,refunded", limit: most } }
  const { data } = useQuery(reading("GET /panel/orgs/:organizationId/invoices", given))
  if (data === undefined || data.invoices.length === 0) return null
  const all = (
    <Link to="/$organizationId/invoices" params={params} search={modeAlone}>
      {texts.till.all}
    </Link>
  )
  return (
    <Card title={texts.overview.last} action={all}>
      <Table rows={data.invoices} />
    </Card>
  )
}
