/**
 * Finds the addresses of receivers. The system's own look-up is not for names that strangers choose: Node runs it on a
 * few threads, and as many names whose servers never answer would hold up every other one. DNS queries need no thread.
 */
import { addressOf } from "@tolem/core/webhook/sending/AddressPolicy"
import { Duration, Effect, Option } from "effect"
import type { Dns, NetAddress } from "effect/net"

/** Some name servers answer no questions about IPv6 at all; those about IPv4 shall not wait for them for ever. */
const ipv6Ms = 2_000

type Addresses = Effect.Effect<ReadonlyArray<NetAddress.IpAddress>>

/**
 * The addresses of a URL's host; none if it has none. A sandbox receiver, or one that the operator has listed, may
 * also have a name that only this machine or its network knows.
 */
export const addressesOf = (
  dns: Dns.Dns["Service"],
  hostname: string,
  may: { readonly beInner: boolean }
): Addresses => {
  const literal = addressOf(hostname)
  if (literal !== undefined) return Effect.succeed([literal])
  if (!may.beInner) return query(dns, hostname)
  if (isLocal(hostname)) return lookup(dns, hostname)
  return Effect.flatMap(query(dns, hostname), (found) =>
    found.length === 0 ? lookup(dns, hostname) : Effect.succeed(found)
  )
}

const isLocal = (hostname: string): boolean => !hostname.includes(".") || /\.localhost\.?$/.test(hostname)

const query = (dns: Dns.Dns["Service"], hostname: string): Addresses =>
  Effect.all(
    [
      Effect.orElseSucceed(dns.resolve(hostname, "A"), () => []),
      dns.resolve(hostname, "AAAA").pipe(
        Effect.orElseSucceed(() => []),
        Effect.timeoutOption(Duration.millis(ipv6Ms)),
        Effect.map(Option.getOrElse(() => []))
      )
    ],
    { concurrency: "unbounded" }
  ).pipe(Effect.map(([four, six]) => [...four, ...six].map((record) => record.address)))

const lookup = (dns: Dns.Dns["Service"], hostname: string): Addresses =>
  Effect.orElseSucceed(dns.lookup(hostname), () => [])
