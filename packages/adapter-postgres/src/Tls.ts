/** Whether the way to the database is encrypted, where its address leaves that open: as libpq's `sslmode=prefer`. */
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { createSecureContext } from "node:tls"
import { Effect, Redacted } from "effect"

/** Where the database is; `host` is a path if that is a socket of this machine. */
export interface Target {
  readonly host: string
  readonly port: number
  /** Name of the database; empty if the address says none. */
  readonly database: string
  /** `sslmode` of the address; empty if it says nothing. */
  readonly mode: string
  /** File with the certificate of the authority to believe; empty if those that Node knows are believed. */
  readonly authority: string
}

/** Reads the target of an address. */
export const targetOf = (address: Redacted.Redacted): Target => {
  const url = URL.parse(Redacted.value(address))
  const given = (name: string) => url?.searchParams.get(name) ?? ""
  const host = given("host") || decoded(url?.hostname ?? "").replace(/^\[|\]$/g, "")
  return {
    host,
    port: Number(given("port") || url?.port || 5432),
    database: given("dbname") || decoded(url?.pathname.slice(1) ?? ""),
    mode: given("sslmode"),
    authority: given("sslrootcert")
  }
}

// What is no text in percent codes is refused by the client, in its own words.
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether the server's certificate is checked. */
export const isChecked = (mode: string): boolean => /^(require|verify-ca|verify-full)$/.test(mode)

/** Whether the connection stays on this machine: a socket, or an address of this machine alone. */
export const isLocal = ({ host }: Target): boolean =>
  host === "" || host.startsWith("/") || /^(localhost|.+\.localhost|127(\.\d+){3}|::1)$/i.test(host)

/** Whether the address leaves open whether to encrypt. */
export const isOpen = ({ host, mode }: Target): boolean => !host.startsWith("/") && /^(|prefer|allow)$/.test(mode)

/** Asks for encryption as every client does, and reads one byte: S for yes, N for no. */
const question = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** As long as the client itself waits for a connection. */
const timeoutMs = 5_000

/** Whether the server offers to encrypt. True if it cannot be asked: then the client's own failure tells why. */
export const isOffered = ({ host, port }: Target): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const answer = (offered: boolean) => {
      socket.destroy()
      resume(Effect.succeed(offered))
    }
    socket.on("connect", () => socket.write(question))
    socket.on("data", (bytes) => answer(bytes[0] !== "N".charCodeAt(0)))
    socket.on("error", () => answer(true))
    socket.on("timeout", () => answer(true))
    socket.on("close", () => answer(true))
    return Effect.sync(() => socket.destroy())
  })

/** Ways to encrypt that an address may name. */
export const modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const

/** What libpq would do for the way to the database and this client does not: an address that asks for it is refused. */
export const unsupported = [
  "sslcert",
  "sslkey",
  "sslpassword",
  "sslcrl",
  "sslcrldir",
  "sslnegotiation",
  "ssl_min_protocol_version",
  "ssl_max_protocol_version",
  "channel_binding",
  "gssencmode"
] as const

/** Reads the certificates of the authorities in a file of `sslrootcert`. Throws if there are none. */
export const readAuthority = (file: string): string => {
  const ca = readFileSync(file, "utf8")
  if (!ca.includes("-----BEGIN CERTIFICATE-----")) throw new Error(`${file} holds no certificate in PEM`)
  createSecureContext({ ca })
  return ca
}

const unknownAuthority =
  "its certificate is signed by no authority that is believed; name that of its authority with sslrootcert=FILE"

/** By the codes of Node. */
const faults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet: is the clock of this machine right?"
}

/**
 * Why the connection was refused in plain words, if it is for the sake of encryption; otherwise undefined. Nothing of
 * users and passwords is in it.
 */
export const explain = (cause: unknown): string | undefined => {
  if (!(cause instanceof Error)) return undefined
  const code = "code" in cause ? String(cause.code) : ""
  if (cause.message === "The server does not support TLS") {
    return "it does not offer TLS, which sslmode asks for; nothing was sent to it"
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const names = "cert" in cause ? (cause.cert as { readonly subjectaltname?: string }).subjectaltname : undefined
    return `its certificate is for another name than the address has (${names ?? "it names none"})`
  }
  return faults[code]
}

/** What the log says of a way that others can read along. */
export const plainWarning = ({ host }: Target): string =>
  `The connection to the database at ${host} is not encrypted: others on the network can read it. ` +
  "Have the server offer TLS, and write sslmode=verify-full"
