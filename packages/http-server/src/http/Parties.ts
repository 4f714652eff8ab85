/**
 * Of whom a request is, before it is looked at: the organization that its credential let in before, or else the network
 * of a stranger. It decides only in which order requests begin, and lets none in.
 */
import { hash } from "node:crypto"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { networkOf } from "@tolem/core/access/Network"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Context, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** Told of the organization that a request was let in for. `source` is the request as its server made it. */
export type Learn = (source: object, organizationId: OrganizationId) => void

/** Who learns of it; by default none. */
export const Learn = Context.Reference<Learn>("@tolem/http-server/Learn", { defaultValue: () => () => {} })

/** What was learned of credentials. */
export interface Parties {
  readonly nameOf: (request: IncomingMessage) => string
  readonly learn: Learn
}

/** Of one organization: who sends ever new ones beside a good one makes the server forget only their own. */
const maxOfOne = 100

/**
 * Knows at most `max` credentials, of which it keeps digests; those that came first are forgotten first. A stranger
 * behind a trusted proxy has the network that the proxy names.
 */
export const make = (max: number, trustedProxies: ReadonlyArray<IpNetwork.IpNetwork> = []): Parties => {
  const isTrusted = (address: string) => {
    const ip = ipOf(address)
    return ip !== undefined && trustedProxies.some((network) => IpNetwork.contains(network, ip))
  }

  const addressOf = ({ socket, headers }: IncomingMessage): string => {
    const peer = socket.remoteAddress ?? ""
    const forwarded = headers["x-forwarded-for"]
    if (forwarded === undefined || !isTrusted(peer)) return peer
    const addresses = String(forwarded)
      .split(",")
      .map((address) => address.trim())
    const address = addresses.findLast((each) => !isTrusted(each)) ?? addresses[0]!
    const ip = ipOf(address)
    return ip === undefined ? peer : NetAddress.formatIp(ip)
  }

  const known = new Map<string, OrganizationId>()
  const own = new Map<OrganizationId, Set<string>>()
  /** The digests of credentials that were not known when their requests came. */
  const unknown = new WeakMap<object, string>()

  const forget = (digest: string, organizationId: OrganizationId) => {
    known.delete(digest)
    const digests = own.get(organizationId)
    digests?.delete(digest)
    if (digests?.size === 0) own.delete(organizationId)
  }

  return {
    nameOf: (request) => {
      const credential = credentialOf(request.headers)
      if (credential !== undefined) {
        const digest = hash("sha256", credential, "base64")
        const organizationId = known.get(digest)
        if (organizationId !== undefined) return organizationId
        unknown.set(request, digest)
      }
      return networkOf(addressOf(request))
    },
    learn: (source, organizationId) => {
      const digest = unknown.get(source)
      if (digest === undefined || known.has(digest)) return
      const digests = own.get(organizationId) ?? new Set()
      own.set(organizationId, digests.add(digest))
      known.set(digest, organizationId)
      const [oldest] = digests.size > maxOfOne ? digests : []
      if (oldest !== undefined) forget(oldest, organizationId)
      const [first] = known.size > max ? known : []
      if (first !== undefined) forget(...first)
    }
  }
}

/** Some proxies name the port too, or put brackets around it. */
const ipOf = (text: string): NetAddress.IpAddress | undefined => {
  const ip = Result.orElse(NetAddress.ipFromString(text.replace(/^\[(.*)\]$/s, "$1")), () =>
    Result.map(NetAddress.inetAddressFromString(text), ({ address }) => address)
  )
  return Result.isSuccess(ip) ? NetAddress.toCanonical(ip.success) : undefined
}

const credentialOf = (headers: IncomingHttpHeaders): string | undefined => {
  const key = headers["x-api-key"]
  return typeof key === "string" ? key : (headers.authorization ?? headers.cookie)
}
