/** What referrers have still to be paid, of all or of one. */
import { useParams } from "@tanstack/react-router"
import { Earner } from "./Earner.tsx"
import { EarnerList } from "./EarnerList.tsx"

/** The list, or the person that the address names. */
export const Earnings = () => {
  const { accountId } = useParams({ strict: false })
  return accountId === undefined ? <EarnerList /> : <Earner key={accountId} accountId={accountId} />
}
