/** Why a gateway can never be called as its template says. Pure. */
import { type AddressRules, addressOf, isListed, standard } from "@tolem/core/webhook/sending/AddressPolicy"
import type { Gateway } from "./Gateway.ts"
import { filledUrl } from "./Template.ts"

/** The fault, if there is one. */
export const faultOf = (gateway: Gateway, rules: AddressRules): string | undefined => {
  const { url, method = "POST", json, form, text } = gateway
  const [one, other] = ["1", "2"].map((value) => URL.parse(filledUrl(url, { phone: value, code: value, text: value })))
  if (!one || !other || !/^https?:$/.test(one.protocol)) return "its url is no http or https address"
  if (one.origin !== other.origin) return "its host must be fixed: placeholders belong into path and query"
  if (one.username !== "" || one.password !== "") return "credentials belong into headers, not into the url"
  if (one.protocol === "http:" && !isListed(one.hostname, rules)) return "its url must be https"
  const address = addressOf(one.hostname)
  const target = { mode: "live", host: one.hostname } as const
  if (address !== undefined && standard(address, target, rules) === "refused") return "its address is a private one"
  if (json !== undefined && form !== undefined) return "its body is either json or form"
  if (method === "GET" && (json ?? form) !== undefined) return "a GET has no body"
  if (!text.includes("{code}")) return "its text lacks {code}"
  const template = url + JSON.stringify(json ?? form ?? "")
  if (!template.includes("{phone}")) return "the phone is sent nowhere: {phone} is missing"
  return /\{(text|code)\}/.test(template) ? undefined : "the code is sent nowhere: {text} is missing"
}
