/** Use-cases of statements by letter: members choose to have them. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { recordOf } from "../../audit/Audit.ts"
import { FieldRefused } from "../../error/Refusals.ts"
import { DirectoryStore } from "../../merchant/DirectoryStore.ts"
import type { JsonObject } from "../../value/Checks.ts"
import { Ids } from "../../value/Ids.ts"
import type { Desk } from "../Desks.ts"
import { newStatementLetter, type StatementLetter } from "./StatementLetter.ts"
import { StatementLetterStore } from "./StatementLetterStore.ts"

/** A member's choice, and the address that letters go to. */
export interface LetterChoice {
  readonly row: StatementLetter | null
  readonly email: string | null
}

const make = Effect.gen(function* () {
  const store = yield* StatementLetterStore
  const directory = yield* DirectoryStore
  const ids = yield* Ids

  const get = Effect.fn("StatementLetters.get")(function* ({ organization, accountId }: Desk) {
    const found = yield* store.find(organization.id, accountId)
    const account = yield* directory.account({ id: accountId })
    const email = Option.match(account, { onNone: () => null, onSome: (one) => one.email })
    return { row: Option.getOrNull(found), email } satisfies LetterChoice
  })

  const choose = Effect.fn("StatementLetters.choose")(function* (desk: Desk, { wanted }: JsonObject) {
    if (typeof wanted !== "boolean") return yield* new FieldRefused({ code: "invalid_request" })
    const { organization, accountId } = desk
    const { row, email } = yield* get(desk)
    if (wanted === (row !== null)) return { row, email } satisfies LetterChoice
    if (wanted && email === null) return yield* new FieldRefused({ code: "invalid_email" })
    const action = wanted ? "statement_letters.chosen" : "statement_letters.ended"
    const audit = yield* recordOf(ids, { action, organizationId: organization.id, subject: accountId })
    const now = yield* Clock.currentTimeMillis
    if (wanted) yield* store.add(newStatementLetter({ organizationId: organization.id, accountId }, now), audit)
    else yield* store.remove(organization.id, accountId, audit)
    return yield* get(desk)
  })

  return {
    /** Whether the member has the statement of each month by letter, and at which address. */
    get,
    /** Has it sent from now on, or no longer. Twice is as once. Fails where the member has no address. */
    choose
  }
})

/** The use-cases of statements by letter. */
export class StatementLetters extends Context.Service<StatementLetters, Effect.Success<typeof make>>()(
  "@tolem/core/StatementLetters"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(StatementLetters, make)
}

/** A choice as members are shown it. Pure. */
export const letterChoiceJson = ({ row, email }: LetterChoice) => ({
  wanted: row !== null,
  email,
  month: row?.month ?? null,
  sentMonth: row?.sentMonth ?? null,
  reason: row?.reason ?? null
})
