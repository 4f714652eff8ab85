/** All that the filter of a list lets through, as files for spreadsheets. */
import { linkOf } from "../api/Call.ts"
import { TableLinks } from "../parts/TableLinks.tsx"
import { useWords } from "../parts/Words.tsx"
import type { InvoiceFilter } from "./InvoiceFilter.ts"
import { useMay } from "./Permissions.ts"
import { useGiven } from "./Places.ts"
import type { RefundFilter } from "./RefundFilter.ts"

type Lists =
  | { readonly list: "invoices"; readonly filter: InvoiceFilter }
  | { readonly list: "refunds"; readonly filter: RefundFilter }

/** Links to the files, for those who may take them along. */
export const ListFiles = ({ list, filter }: Lists) => {
  const { language } = useWords()
  const { params, query } = useGiven()
  if (useMay()("invoices:export") === null) return null
  const given = { params, query: { ...query, ...filter, lang: language, bom: "1" } }
  return (
    <TableLinks
      csv={linkOf(`GET /panel/orgs/:organizationId/${list}.csv`, given)}
      xlsx={linkOf(`GET /panel/orgs/:organizationId/${list}.xlsx`, given)}
    />
  )
}
