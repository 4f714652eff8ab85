/** Where a page of a list ended, and the text by which the next request names that place. Pure. */
import { Result } from "effect"
import { queryText } from "../value/QueryChecks.ts"

/** The last row of a page of a list that goes from the newest to the oldest. */
export interface ListPlace {
  /** Milliseconds. */
  readonly createdAt: number
  readonly id: string
}

/** The text of a place, opaque to clients. */
export const listPlaceText = ({ createdAt, id }: ListPlace): string => `${createdAt}.${id}`

const placeForm = /^([0-9]{1,15})\.([a-z]{3})_([0-9a-z]{1,60})$/

/** The place of such a text among ids with the prefix; null: none is given. */
export const checkListPlace = (value: unknown, prefix: string): Result.Result<ListPlace | null, "invalid_after"> =>
  Result.flatMap(queryText(value, "invalid_after"), (text) => {
    if (text === null) return Result.succeed(null)
    const [, at, kind, rest] = placeForm.exec(text) ?? []
    return kind === prefix
      ? Result.succeed({ createdAt: Number(at), id: `${kind}_${rest}` })
      : Result.fail("invalid_after" as const)
  })
