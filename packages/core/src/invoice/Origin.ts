/** What an invoice was made for, if no merchant has asked for it themselves. Pure. */

/**
 * A run of a subscription, and which try of it, 0 for the first; a payment link; a form hook; a transaction of the
 * application, for whose commit the live invoice has waited.
 */
export type Origin =
  | { readonly kind: "subscription"; readonly id: string; readonly run: number; readonly attempt: number }
  | { readonly kind: "payment-link" | "form-hook"; readonly id: string }
  | { readonly kind: "transaction" }

/** The origin as a text, by which it is stored. One of a run names one invoice. */
export const toText = (origin: Origin): string => {
  if (origin.kind === "transaction") return origin.kind
  return origin.kind === "subscription"
    ? `subscription/${origin.id}/${origin.run}/${origin.attempt}`
    : `${origin.kind}/${origin.id}`
}

/** The origin of a text that `toText` has made; null for any other text. */
export const fromText = (text: string): Origin | null => {
  if (text === "transaction") return { kind: text }
  const [kind, id, run, attempt] = text.split("/")
  if (id === undefined) return null
  if (kind === "payment-link" || kind === "form-hook") return { kind, id }
  return kind === "subscription" && run !== undefined && attempt !== undefined
    ? { kind, id, run: Number(run), attempt: Number(attempt) }
    : null
}
