/** What a customer has to mend in a form. Pure. */
import { Result } from "effect"
import { checkInvoice, type DraftCode } from "../invoice/InvoiceDraft.ts"
import type { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import type { JsonObject } from "../value/Checks.ts"
import { toTenge } from "../value/Money.ts"
import { type FormField, type FormFields, formInvoiceRequest } from "./FormFields.ts"
import type { FormHook } from "./FormHook.ts"

/** What is wrong with a field. */
export interface FieldProblem {
  readonly field: FormField
  readonly code: DraftCode
}

/**
 * All that is wrong with what a customer has sent, not the first alone: what is wrong is left out in turn, until the
 * rest is an invoice. Empty: it is one as it is.
 */
export const formProblems = (
  hook: FormHook,
  fields: FormFields,
  settings: InvoiceSettings
): ReadonlyArray<FieldProblem> => {
  const found: Array<FieldProblem> = []
  let request = formInvoiceRequest(hook, fields)
  while (found.length < codesOf.length) {
    const checked = checkInvoice(request, {}, settings)
    if (Result.isSuccess(checked)) return found
    const { code } = checked.failure
    const [field] = codesOf.find(([, codes]) => codes.includes(code)) ?? []
    if (field === undefined || found.some((problem) => problem.field === field)) return found
    found.push({ field, code })
    request = without(request, field, settings)
  }
  return found
}

/** What a refusal says of a field, as a list: empty if it is of none. */
export const problemOf = (code: string): ReadonlyArray<FieldProblem> =>
  codesOf.flatMap(([field, codes]) => codes.filter((each) => each === code).map((each) => ({ field, code: each })))

const codesOf: ReadonlyArray<readonly [FormField, ReadonlyArray<DraftCode>]> = [
  ["amount", ["invalid_amount", "amount_too_small", "amount_too_large", "amount_must_be_whole_tenge"]],
  ["name", ["invalid_customer"]],
  ["phone", ["invalid_phone"]],
  ["email", ["invalid_email"]],
  ["comment", ["invalid_description"]]
]

const without = (request: JsonObject, field: FormField, settings: InvoiceSettings): JsonObject => {
  if (field === "amount") return { ...request, amount: toTenge(settings.amount.min) }
  if (field === "comment") return { ...request, description: undefined }
  return { ...request, customer: { ...Object(request["customer"]), [field]: undefined } }
}
