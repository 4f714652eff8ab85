/**
 * What a customer typed into a form, as the create request that it means: people write amounts and phones in many ways.
 * What cannot be understood is passed on as it is, and refused by the checks that every invoice passes. Pure.
 */
import { tengeOfText } from "../value/AmountText.ts"
import type { JsonObject } from "../value/Checks.ts"
import { phoneOfText } from "../value/Phone.ts"
import type { FormHook } from "./FormHook.ts"

/** What a customer fills in. */
export type FormField = "amount" | "name" | "phone" | "email" | "comment"

/** The names that each may have in a form; the first is its own. */
export const fieldNames: Readonly<Record<FormField, ReadonlyArray<string>>> = {
  amount: ["amount", "sum", "price"],
  name: ["name"],
  phone: ["phone"],
  email: ["email"],
  comment: ["comment"]
}

/** The names of fields that mean something; `lang` is the language that the person is answered in. */
export const knownFields: ReadonlySet<string> = new Set([...Object.values(fieldNames).flat(), "lang"])

/** Fields of a form by name, in order; a name may come more than once. */
export type FormFields = ReadonlyArray<readonly [name: string, text: string]>

/** The create request that the fields are. Of several fields with one name the first that is filled in counts. */
export const formInvoiceRequest = (hook: FormHook, fields: FormFields): JsonObject => {
  const of = (field: FormField) => typedIn(fields, field)
  const phone = of("phone")
  const amount = of("amount")
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

/** What the form says of one thing: of several fields, the first that is filled in. */
export const typedIn = (fields: FormFields, field: FormField): string | undefined =>
  fieldNames[field]
    .flatMap((name) => fields.filter(([each]) => each === name))
    .map(([, text]) => text.trim())
    .find((text) => text !== "")

/** Whether a program has filled in what no person sees. */
export const isCaught = ({ honeypot }: FormHook, fields: FormFields): boolean =>
  honeypot !== null && fields.some(([name, text]) => name === honeypot && text.trim() !== "")

/** Whether the form says who has sent it. */
export const isNamed = (fields: FormFields): boolean =>
  (["name", "phone", "email"] as const).some((field) => typedIn(fields, field) !== undefined)
