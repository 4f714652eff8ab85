/** The pages of a journal that were read so far, with the way to older ones. */
import type { ReactNode } from "react"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import styles from "./Journal.module.css"
import { RecordDays } from "./RecordDays.tsx"
import { useJournalTexts } from "./Texts.ts"

interface PagesProps<R> {
  /** What was read; undefined: nothing so far. */
  readonly records: ReadonlyArray<R> | undefined
  readonly isNarrow: boolean
  readonly reading: {
    readonly error: Error | null
    /** Whether what is shown is of what was looked for before. */
    readonly isPlaceholderData: boolean
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
  readonly children: (record: R) => ReactNode
  /** What stands below them. */
  readonly foot?: ReactNode
}

/** The pages. */
export const Pages = <R extends { readonly at: string }>(props: PagesProps<R>) => {
  const { records, isNarrow, reading, children, foot } = props
  const { error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = reading
  const journal = useJournalTexts()
  return (
    <>
      {error !== null && <Refused failure={error} />}
      {records === undefined && error === null && <Skeleton lines={6} tall />}
      {records?.length === 0 && !isPlaceholderData && (
        <Card
          title={isNarrow ? journal.noMatch : journal.none}
          text={isNarrow ? journal.noMatchText : journal.noneText}
        />
      )}
      {records !== undefined && records.length > 0 && (
        <div aria-busy={isPlaceholderData || undefined} className={styles["list"]}>
          <RecordDays records={records}>{children}</RecordDays>
          {hasNextPage && (
            <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
              {journal.older}
            </Button>
          )}
          {foot}
        </div>
      )}
    </>
  )
}
