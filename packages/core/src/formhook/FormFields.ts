/**
 * What a customer typed into a form, as the create request that it means: people write amounts and phones in many ways.
 * What cannot be understood is passed on as it is, and refused by the checks that every invoice passes. Pure.
 */
import { tengeOfText } from "../value/AmountText.ts"
import type { JsonObject } from "../value/Checks.ts"
import { phoneOfText } from "../value/Phone.ts"
import type { FormHook } from "./FormHook.ts"

/** Fields of a form by name, in order; a name may come more than once. */
export type FormFields = ReadonlyArray<readonly [name: string, text: string]>

/** The create request that the fields are. Of several fields with one name the first that is filled in counts. */
export const formInvoiceRequest = (hook: FormHook, fields: FormFields): JsonObject => {
  const of = (...names: ReadonlyArray<string>): string | undefined =>
    names
      .flatMap((name) => fields.filter(([each]) => each === name))
      .map(([, text]) => text.trim())
      .find((text) => text !== "")
  const phone = of("phone")
  const amount = of("amount", "sum", "price")
  return {
    kind: "qr",
    amount: amount === undefined ? undefined : (tengeOfText(amount) ?? amount),
    description: of("comment"),
    customer: { name: of("name"), phone: phone === undefined ? undefined : phoneOfText(phone), email: of("email") },
    successUrl: hook.successUrl,
    failUrl: hook.failUrl,
    metadata: { formHookId: hook.id }
  }
}
