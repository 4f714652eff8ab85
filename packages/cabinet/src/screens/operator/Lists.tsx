/** What all lists of the console have: a field to look for something, the way to more, and what is said of nothing. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { type FormEvent, type ReactNode, useState } from "react"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Field } from "../../parts/Field.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import styles from "./Operator.module.css"
import { useOperatorTexts } from "./Texts.ts"

/** What is looked for; it stands in the address. */
export const useSearched = (): string => useSearch({ strict: false }).search ?? ""

/** The field. What was typed is looked for when it is sent. */
export const Find = ({ hint }: { readonly hint: string }) => {
  const words = useOperatorTexts()
  const navigate = useNavigate()
  const searched = useSearched()
  const [typed, setTyped] = useState(searched)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const search = typed.trim()
    void navigate({ to: ".", search: search === "" ? {} : { search }, replace: true })
  }
  return (
    <search>
      <form className={styles["find"]} onSubmit={submit}>
        <Field
          label={hint}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" look="second">
          {words.search}
        </Button>
      </form>
    </search>
  )
}

interface FoundProps<A> {
  readonly title: string
  readonly text: string
  /** Null: not read yet. */
  readonly items: ReadonlyArray<A> | null
  readonly failure: Error | null
  readonly isCut?: boolean
  readonly hasMore: boolean
  readonly isFetching: boolean
  readonly onMore: () => void
  /** What is said of nothing, where nothing was looked for. */
  readonly none?: { readonly title: string; readonly text: string }
  readonly children: (items: ReadonlyArray<A>) => ReactNode
}

/** What was found. */
export const Found = <A,>(props: FoundProps<A>) => {
  const { title, text, items, failure, isCut = false, hasMore, isFetching, onMore, none, children } = props
  const words = useOperatorTexts()
  if (failure !== null) return <Refused failure={failure} />
  if (items === null) return <Skeleton lines={6} tall />
  if (items.length === 0 && !hasMore) {
    return <Card title={none?.title ?? words.none} text={none?.text ?? words.noneText} />
  }
  return (
    <Card title={title} text={text}>
      {children(items)}
      {isCut && <p className={styles["cut"]}>{words.isCut}</p>}
      {hasMore && (
        <Button look="plain" isBusy={isFetching} onClick={onMore}>
          {words.more}
        </Button>
      )}
    </Card>
  )
}
