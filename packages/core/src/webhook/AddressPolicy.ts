/**
 * Which IP addresses an attempt may connect to. The name of an endpoint is resolved anew at each attempt, and what it
 * resolves to is checked here, so that a merchant's name cannot lead into the operator's own network. Pure.
 */
import { Context } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import type { Mode } from "../Mode.ts"

/** Whether an endpoint of this mode may be at this address. */
export type Policy = (address: NetAddress.IpAddress, mode: Mode) => boolean

/** Live: public addresses. Sandbox: also this machine and private networks, where developers have their receivers. */
export const standard: Policy = (address, mode) =>
  isPublic(address) || (mode === "sandbox" && within(address, localAndPrivate))

/** The policy in force; the standard one where none is provided. */
export const AddressPolicy = Context.Reference<Policy>("@tolem/core/AddressPolicy", { defaultValue: () => standard })

/** Whether the address is one of the public Internet, by IANA's registries. What they do not know is not public. */
export const isPublic = (address: NetAddress.IpAddress): boolean =>
  NetAddress.isIpv4Address(address)
    ? !within(address, notPublic4)
    : IpNetwork.contains(global6, address) && !within(address, notPublic6)

const within = (address: NetAddress.IpAddress, networks: ReadonlyArray<IpNetwork.IpNetwork>): boolean =>
  networks.some((network) => IpNetwork.contains(network, address))

const networksOf = (...texts: ReadonlyArray<string>) => texts.map((text) => IpNetwork.fromStringUnsafe(text))

const localAndPrivate = networksOf(
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7"
)

const notPublic4 = networksOf(
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carriers' own
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // of no registry: a cloud's own service, told to nobody but its guests
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
