/** What is kept of a form that was refused at a hook: nothing of a person, nothing that they have filled in. Pure. */
import type { FormHookId, OrganizationId } from "../value/Ids.ts"
import type { FormFields } from "./FormFields.ts"
import type { FieldProblem } from "./FormProblems.ts"

/** A form that was refused. */
export interface FormRefusal {
  readonly hookId: FormHookId
  /** Real time. */
  readonly at: number
  /** The code of the refusal, or `form_caught`: the field that no person sees was filled in. */
  readonly reason: string
  /** The fields that were wrong, each with its code. */
  readonly faults: ReadonlyArray<FieldProblem>
  /** The names of the fields that were sent, as far as they are names; see `fieldNamesOf`. */
  readonly names: ReadonlyArray<string>
  /** The site that a browser named; null: none was named. */
  readonly site: string | null
}

/** Where a refusal stands among those of its hook and reason. A later one may take the place. */
export interface KeptFormRefusal extends FormRefusal {
  readonly organizationId: OrganizationId
  readonly place: number
}

/** How many forms a hook has refused for one reason, those included that are not kept. */
export interface FormRefusalCount {
  readonly hookId: FormHookId
  readonly reason: string
  readonly refused: number
  /** Between the first and the last of them no week was without one. */
  readonly firstAt: number
  readonly lastAt: number
}

/** The reason of forms that had the hidden field filled in, who are told that all went well. */
export const caughtReason = "form_caught"

const dayMs = 86_400_000

/** The start of the day, in UTC, that an instant lies in. */
export const refusalDayOf = (at: number): number => at - (at % dayMs)

/** What may be known of a form when it is refused. */
export interface RefusedForm {
  readonly fields: FormFields
  readonly faults: ReadonlyArray<FieldProblem>
  readonly site: string | null
}

/** What of it is kept. */
export const refusalOf = (
  { hookId, at, reason }: Pick<FormRefusal, "hookId" | "at" | "reason">,
  { fields, faults, site }: RefusedForm
): FormRefusal => ({
  hookId,
  at,
  reason,
  faults,
  names: fieldNamesOf(fields),
  site: site === null ? null : site.slice(0, maxSite)
})

const maxSite = 200
const maxNames = 20

// What could be more than a name, as a body of another type that was read as one, is not kept.
const nameForm = /^[A-Za-z_][\w.[\]-]{0,39}$/

/** The names of the fields, each once; in the place of those that are no plain names one `?`. */
const fieldNamesOf = (fields: FormFields): ReadonlyArray<string> =>
  [...new Set(fields.map(([name]) => (nameForm.test(name) ? name : "?")))].slice(0, maxNames)
