/** Remembers of forms why a hook has refused them, for the people who build them. */
import type { Engine } from "@tolem/core/engine/Engine"
import { entry } from "@tolem/core/error/ErrorCatalog"
import type { FormFields } from "@tolem/core/formhook/FormFields"
import { isHookId } from "@tolem/core/formhook/FormHook"
import type { FormCaught } from "@tolem/core/formhook/FormHooks"
import { type FieldProblem, problemOf } from "@tolem/core/formhook/FormProblems"
import { caughtReason } from "@tolem/core/formhook/FormRefusal"
import type { FormHookId } from "@tolem/core/value/Ids"
import { Effect } from "effect"
import type { Refusal } from "../http/Responses.ts"

/** What is known of a form. */
interface KnownForm {
  readonly fields: FormFields
  readonly site: string | null
  /** All that is wrong with it; absent: what the refusal says. */
  readonly faults?: ReadonlyArray<FieldProblem>
}

/** Notes a refusal at the hook of an address. What is no fault of the form, as a storage that is away, is not noted. */
export type Note = (id: string, error: Refusal | FormCaught, form: KnownForm) => Effect.Effect<void>

/** Notes what this engine's hooks have refused. */
export const make =
  ({ formRefusals }: Engine["Service"]): Note =>
  (id, error, { fields, site, faults }) => {
    if (!isHookId(id) || "operation" in error) return Effect.void
    const isCaught = "_tag" in error && error._tag === "FormCaught"
    if (!isCaught && (error.code === "hook_not_found" || entry(error.code).status >= 500)) return Effect.void
    const reason = isCaught ? caughtReason : error.code
    return formRefusals.note(id as FormHookId, reason, { fields, site, faults: faults ?? problemOf(reason) })
  }
