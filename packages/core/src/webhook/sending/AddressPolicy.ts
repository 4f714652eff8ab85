/**
 * Which IP addresses an attempt may connect to. The name of an endpoint is resolved anew at each attempt, and what it
 * resolves to is checked here, so that a merchant's name cannot lead into the operator's own network. Pure.
 */
import { Context, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import type { Mode } from "../../value/Mode.ts"
import type { WebhookSettings } from "../WebhookSettings.ts"

/**
 * What an address is to an endpoint. `open`: of the public Internet. `inner`: of this machine or of a private network,
 * and allowed; its answer is not kept. `refused`: nothing may be sent there.
 */
export type AddressVerdict = "open" | "inner" | "refused"

/** An endpoint's mode, and the host of its address as `URL` writes it. */
export interface Target {
  readonly mode: Mode
  readonly host: string
}

/** What the operator says about private networks. */
export interface AddressRules {
  /** The service is reached at this machine only, so developers are the only ones there. */
  readonly isLocal: boolean
  readonly networks: ReadonlyArray<IpNetwork.IpNetwork>
  readonly names: ReadonlySet<string>
}

/** Whether and how an endpoint may be at this address. */
export type AddressJudge = (address: NetAddress.IpAddress, target: Target, rules: AddressRules) => AddressVerdict

/** The rules of the settings. What is no network in `privateNetworks` is the name of a host. */
export const rulesOf = ({ baseUrl, webhook }: Pick<WebhookSettings, "baseUrl" | "webhook">): AddressRules => {
  const listed = webhook.privateNetworks.map((text) => ({ text, network: networkOf(text) }))
  return {
    isLocal: isOfThisMachine(baseUrl),
    networks: listed.flatMap(({ network }) => network ?? []),
    names: new Set(listed.flatMap(({ text, network }) => (network === undefined ? [plain(text)] : [])))
  }
}

/** Whether the operator has listed this host, by its name or by the network of its literal address. */
export const isListed = (host: string, rules: AddressRules): boolean => {
  const address = addressOf(host)
  return address === undefined ? rules.names.has(plain(host)) : !isNever(address) && within(address, rules.networks)
}

/**
 * Never where clouds keep the credentials of their guests, nor link-local, multicast or disguised addresses. Private
 * ones: if the operator has listed the network or the host, and for sandboxes of a service on this machine.
 */
export const standard: AddressJudge = (address, { mode, host }, rules) => {
  if (isNever(address)) return "refused"
  if (isPublic(address)) return "open"
  if (within(address, rules.networks) || rules.names.has(plain(host))) return "inner"
  return mode === "sandbox" && rules.isLocal && within(address, localAndPrivate) ? "inner" : "refused"
}

/** The policy in force; the standard one where none is provided. */
export const AddressPolicy = Context.Reference<AddressJudge>("@tolem/core/AddressPolicy", {
  defaultValue: () => standard
})

/** Whether the address is one of the public Internet, by IANA's registries. What they do not know is not public. */
export const isPublic = (address: NetAddress.IpAddress): boolean =>
  NetAddress.isIpv4Address(address)
    ? !within(address, notPublic4)
    : IpNetwork.contains(global6, address) && !within(address, notPublic6)

/** The IP address that a URL's host is, if any. `URL` has understood forms such as `127.1` and `0x7f.1` before. */
export const addressOf = (host: string): NetAddress.IpAddress | undefined => {
  const parsed = NetAddress.ipFromString(host.replace(/^\[|\]$/g, ""))
  return Result.isSuccess(parsed) ? parsed.success : undefined
}

/** The network of a text such as `10.0.0.0/8` or `10.1.2.3`; undefined if it is none. */
const networkOf = (text: string): IpNetwork.IpNetwork | undefined => {
  const address = addressOf(text)
  if (address !== undefined) return IpNetwork.fromAddressUnsafe(address, NetAddress.width(address))
  const parsed = IpNetwork.fromString(text)
  return Result.isSuccess(parsed) ? parsed.success : undefined
}

const plain = (host: string): string => host.toLowerCase().replace(/\.$/, "")

/** Whether the address is of this machine: what is told to customers then stays on it. */
export const isOfThisMachine = (url: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? "")

const within = (address: NetAddress.IpAddress, networks: ReadonlyArray<IpNetwork.IpNetwork>): boolean =>
  networks.some((network) => IpNetwork.contains(network, address))

const isNever = (address: NetAddress.IpAddress): boolean =>
  within(address, never) && NetAddress.formatIp(address) !== "::1"

const networksOf = (...texts: ReadonlyArray<string>) => texts.map((text) => IpNetwork.fromStringUnsafe(text))

const localAndPrivate = networksOf(
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7"
)

// Not even if the operator has listed a network that holds them.
const never = networksOf(
  "0.0.0.0/8", // this network
  "100.100.100.200/32", // a cloud's metadata
  "168.63.129.16/32", // a cloud's own service, known to its guests only
  "169.254.0.0/16", // link-local, where most clouds keep the credentials of their guests
  "192.0.0.192/32", // a cloud's metadata
  "224.0.0.0/4", // multicast
  "255.255.255.255/32", // broadcast
  "::/96", // unspecified, and IPv4 addresses in disguise; but this machine
  "::ffff:0:0/96", // IPv4 addresses in disguise
  "::ffff:0:0:0/96", // the same, translated
  "64:ff9b::/96", // the same
  "64:ff9b:1::/48", // the same
  "2001::/32", // tunnels that carry IPv4 addresses
  "2002::/16", // the same
  "fd00:ec2::/32", // a cloud's metadata and other services
  "fd20:ce::/64", // a cloud's metadata
  "fe80::/10", // link-local
  "ff00::/8" // multicast
)

const notPublic4 = networksOf(
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carriers' own
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // of no registry: a cloud's own service, known to its guests only
  "169.254.0.0/16", // link-local, where clouds keep the credentials of their guests
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // relays into IPv6
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/3" // multicast, reserved, broadcast
)

// Mapped, compatible, translated, unique-local, site-local and link-local forms all lie outside of it.
const global6 = IpNetwork.fromStringUnsafe("2000::/3")

const notPublic6 = networksOf(
  "2001::/23", // protocol assignments; tunnels that carry IPv4 addresses
  "2001:db8::/32", // documentation
  "2002::/16", // tunnels that carry IPv4 addresses
  "3fff::/20" // documentation
)
