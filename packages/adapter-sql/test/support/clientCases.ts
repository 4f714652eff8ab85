/** The part of the storage suite that another client of the same database can change. */
import { storageSuite } from "@tolem/testing/storage/StorageSuite"
import { inject } from "vitest"

/** Subjects with transactions, with what is refused, with several at once, and with values of all kinds. */
const subjects = [
  "inserting invoices",
  "committing changes",
  "claiming due invoices",
  "turns ",
  "the feed",
  "a consumer",
  "quotas",
  "settling attempts",
  "the stored data",
  "reads, while others write, show an invoice",
  "reads, while others write, count the invoices"
]

/** Each second case of every subject; `npm run test:slow` runs the whole suite. */
export const clientCases = inject("isWhole")
  ? storageSuite
  : subjects.flatMap((subject) => {
      const cases = storageSuite.filter(({ name }) => name.startsWith(subject))
      if (cases.length === 0) throw new Error(`no case is about ${subject}`)
      return cases.filter((_, index) => index % 2 === 0)
    })
