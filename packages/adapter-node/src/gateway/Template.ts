/** Texts with placeholders. Pure. */

/** A value of JSON. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** What placeholders stand for. */
export type Values = Readonly<Record<string, string>>

/** The text with these values; placeholders of other names stay. */
export const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)

/** The same in an address, where a value can only be a value. */
export const filledUrl = (url: string, values: Values): string =>
  filled(url, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)])))

/** The same in every text of a value. */
export const filledJson = (json: Json, values: Values): Json => {
  if (typeof json === "string") return filled(json, values)
  if (typeof json !== "object" || json === null) return json
  if (Array.isArray(json)) return json.map((each) => filledJson(each, values))
  return Object.fromEntries(Object.entries(json).map(([name, each]) => [name, filledJson(each, values)]))
}
