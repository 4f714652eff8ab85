/** Version 1 of the provider protocol (docs/provider-protocol.md): what client and server share beside bodies. */
import { sha256 } from "@tolem/core/secret/Sha256"
import { isPublicDomain } from "@tolem/core/webhook/Address"
import { addressOf, isPublic } from "@tolem/core/webhook/sending/AddressPolicy"
import { Redacted } from "effect"
import { Mac } from "effect/crypto"

/** What `GET /v1` calls itself. */
export const protocol = "tolem-provider"

/** The version that this client and this server speak. */
export const version = 1

/** The header of the secret that both sides share. */
export const secretHeader = "x-api-key"

/** Fewer characters can be guessed, more fit into no header. */
const form = /^[\x21-\x7e]{32,256}$/

/** What is wrong with a shared secret, or nothing. The text is not repeated. */
export const secretFault = (secret: Redacted.Redacted): string | undefined =>
  form.test(Redacted.value(secret))
    ? undefined
    : "must have 32 to 256 characters, letters, digits and signs; make one with: openssl rand -base64 32"

/**
 * What is wrong with an address of a provider, or nothing: http to a host of the public Internet shows the secret, the
 * codes and the sessions of cashiers to all who are on the way. Names and addresses of private networks are fine.
 */
export const addressFault = (url: string): string | undefined => {
  const { protocol, hostname } = URL.parse(url) ?? { protocol: "", hostname: "" }
  if (protocol !== "http:" && protocol !== "https:") return "must be an address, as https://provider.example"
  const address = addressOf(hostname)
  const isExposed = address === undefined ? isPublicDomain(hostname) : isPublic(address)
  return protocol === "http:" && isExposed
    ? "would show the secret and the sessions of cashiers on the way: use https for hosts outside of your own network"
    : undefined
}

const utf8 = new TextEncoder()

/** Whether a request knows the secret. Takes as long for a wrong one. */
export const isSecret = (secret: Redacted.Redacted, given: string | undefined): boolean =>
  Mac.timingSafeEqual(utf8.encode(sha256(given ?? "", "hex")), utf8.encode(sha256(Redacted.value(secret), "hex")))
