/** A form hook as the cabinet has it, and the form that a site needs for it. Pure. */
import type { Answer } from "../../api/Contract.ts"
import { serverPath } from "../../browser/Place.ts"
import type { FormFieldName, FormsTexts } from "../../texts/FormsTexts.ts"
import type { Language } from "../../texts/Translation.ts"

/** A form hook. */
export type ShownFormHook = Answer<"GET /panel/orgs/:organizationId/form-hooks/:id">

/** The calls about form hooks that tell of them. */
export const formHookCalls = "GET /panel/orgs/:organizationId/form-hooks"

/** The fields that mean something. */
export const formFields: ReadonlyArray<FormFieldName> = ["amount", "name", "phone", "email", "comment"]

/** Where it is reached from here. */
export const postPath = ({ id }: Pick<ShownFormHook, "id">): string => `${serverPath}/f/${id}`

const types: Readonly<Record<FormFieldName, string>> = {
  amount: 'inputmode="decimal" required',
  name: 'autocomplete="name"',
  phone: 'type="tel" autocomplete="tel"',
  email: 'type="email" autocomplete="email"',
  comment: ""
}

/** The form as HTML, in a language. A browser is led on to where the invoice is paid. */
export const snippetOf = ({ url, honeypot }: ShownFormHook, words: FormsTexts, language: Language): string =>
  [
    `<form method="post" action="${url}?redirect=1">`,
    `  <input type="hidden" name="lang" value="${language}">`,
    ...formFields.map((field) => {
      const attributes = types[field] === "" ? "" : ` ${types[field]}`
      return `  <label>${words.fields[field]} <input name="${field}"${attributes}></label>`
    }),
    ...(honeypot === null ? [] : [`  <input name="${honeypot}" tabindex="-1" autocomplete="off" hidden>`]),
    `  <button>${words.pay}</button>`,
    "</form>"
  ].join("\n")
