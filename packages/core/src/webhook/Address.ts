/** Which addresses a merchant may give to an endpoint (interface specification, Events). Pure: asks no name server. */
import { Result } from "effect"
import type { Mode } from "../value/Mode.ts"
import { type AddressRules, addressOf, isListed } from "./sending/AddressPolicy.ts"

/** Catalogue codes of refused addresses. */
export type AddressCode =
  | "invalid_url"
  | "webhook_url_requires_https"
  | "webhook_url_requires_domain"
  | "webhook_url_tunnel_forbidden"

/**
 * The address as it was given, if an endpoint of this mode may have it. Any port is allowed, credentials are not. A
 * sandbox endpoint may be http and local; a live one is https and has a domain name that the whole Internet can know,
 * unless the operator has listed its host.
 * What that name resolves to is another question, asked at each attempt: see `AddressPolicy`.
 */
export const checkAddress = (value: unknown, mode: Mode, rules: AddressRules): Result.Result<string, AddressCode> => {
  if (typeof value !== "string" || value.length > maxAddressLength || notInAnAddress.test(value)) {
    return Result.fail("invalid_url")
  }
  const url = URL.parse(value)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") {
    return Result.fail("invalid_url")
  }
  // Credentials would be shown in logs and answers; `user@` also serves to disguise the real host.
  if (url.username !== "" || url.password !== "") return Result.fail("invalid_url")
  if (mode === "sandbox" || isListed(url.hostname, rules)) return Result.succeed(value)
  if (url.protocol !== "https:") return Result.fail("webhook_url_requires_https")
  if (!isPublicDomain(url.hostname)) return Result.fail("webhook_url_requires_domain")
  return isWithin(url.hostname, tunnels) ? Result.fail("webhook_url_tunnel_forbidden") : Result.succeed(value)
}

/** The most characters of an address. */
export const maxAddressLength = 2048

// `URL` drops tabs and line breaks without a word, and half a surrogate pair cannot be stored.
const notInAnAddress = /[\s\p{Cc}\p{Cs}]/u

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * Whether it is a name that the whole Internet can know, and no IP address. `hostname` is as `URL` has written it:
 * lower case, non-ASCII labels as `xn--…`.
 */
export const isPublicDomain = (hostname: string): boolean => {
  if (addressOf(hostname) !== undefined) return false
  const name = withoutRootDot(hostname)
  const labels = name.split(".")
  if (labels.length < 2 || name.length > 253 || !labels.every((each) => label.test(each))) return false
  return !isWithin(name, reserved)
}

const isWithin = (hostname: string, domains: ReadonlySet<string>): boolean => {
  const labels = withoutRootDot(hostname).split(".")
  return labels.some((_, index) => domains.has(labels.slice(index).join(".")))
}

const withoutRootDot = (hostname: string): string => hostname.replace(/\.$/, "")

/** Names that exist within a machine, a network or a document only: IANA's special-use names, and usual inner ones. */
const reserved: ReadonlySet<string> = new Set([
  "alt",
  "arpa",
  "corp",
  "example",
  "home",
  "internal",
  "intranet",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "onion",
  "private",
  "test"
])

/** Services that give a developer's machine a public address for a while. */
const tunnels: ReadonlySet<string> = new Set([
  "bore.pub",
  "cloudpub.ru",
  "cpolar.cn",
  "cpolar.io",
  "cpolar.top",
  "devtunnels.ms",
  "expose.dev",
  "gradio.live",
  "lhr.life",
  "lhr.rocks",
  "lhrtunnel.link",
  "loca.lt",
  "localcan.dev",
  "localhost.run",
  "localtunnel.me",
  "loclx.io",
  "natappfree.cc",
  "ngrok-free.app",
  "ngrok-free.dev",
  "ngrok.app",
  "ngrok.dev",
  "ngrok.io",
  "ngrok.pizza",
  "ngrok.pro",
  "packetriot.net",
  "pagekite.me",
  "pinggy.io",
  "pinggy.link",
  "pinggy.online",
  "serveo.net",
  "serveousercontent.com",
  "sharedwithexpose.com",
  "srv.us",
  "telebit.io",
  "trycloudflare.com",
  "tuna.am",
  "tunnelmole.net",
  "tunnelto.dev",
  "zrok.io"
])
