/** People on the platform. Both screens are one file, so that what they share is loaded once. */
import { useParams } from "@tanstack/react-router"
import { PeopleList } from "./PeopleList.tsx"
import { Person } from "./Person.tsx"

/** The list, or the person that the address names. */
export const People = () => {
  const { accountId } = useParams({ strict: false })
  return accountId === undefined ? <PeopleList /> : <Person accountId={accountId} />
}
