/** What the console shows. Pure. */
import type { MembershipView } from "../../merchant/DirectoryStore.ts"
import { membershipJson } from "../../merchant/KeyJson.ts"
import type { Account } from "../../merchant/Merchant.ts"
import { toIso } from "../../value/Calendar.ts"

/** A person in a list. */
const consoleAccountJson = ({ id, phone, name, status, createdAt }: Account) => ({
  id,
  phone,
  name,
  status,
  createdAt: toIso(createdAt)
})

/** A page of people. `isCut`: more were found than are shown. */
export const consoleAccountsJson = (page: {
  readonly items: ReadonlyArray<Account>
  readonly next: string | null
  readonly isCut: boolean
}) => ({ accounts: page.items.map(consoleAccountJson), next: page.next, isCut: page.isCut })

/** A person, with what they are members of. */
export const consolePersonJson = (person: {
  readonly account: Account
  readonly parts: ReadonlyArray<MembershipView>
  readonly sessions: number
  readonly isOperator: boolean
}) => ({
  ...consoleAccountJson(person.account),
  isOperator: person.isOperator,
  sessions: person.sessions,
  memberships: person.parts.map(membershipJson)
})
