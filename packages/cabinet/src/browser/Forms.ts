/** Forms as sites send them, for trying out where they go to. */
import { Refusal } from "../api/Call.ts"

/** What came of one: an invoice, or the code of a refusal. */
export interface FormAnswer {
  readonly invoiceId?: string
  readonly code?: string
}

/** Sends a form to a path of this server, without any cookie. Rejects if the server cannot be reached. */
export const postForm = async (path: string, fields: Readonly<Record<string, string>>): Promise<FormAnswer> => {
  const body = new URLSearchParams(fields)
  const headers = { accept: "application/json" }
  const sent = fetch(path, { method: "POST", body, headers, credentials: "omit" })
  const response = await sent.catch(() => {
    throw new Refusal("offline", 0, null)
  })
  const answer: unknown = await response.json().catch(() => null)
  const { invoiceId, error } = Object(answer) as { readonly invoiceId?: string; readonly error?: string }
  return response.ok ? { ...(invoiceId !== undefined && { invoiceId }) } : { code: error ?? "internal_error" }
}
