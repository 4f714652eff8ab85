/** Which texts of flags and settings name something that can be reached. Pure. */
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** Whether it can be what customers reach the service at. */
export const isBase = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.search === "" && parsed.hash === ""
}

/** Whether the address is of this machine, of a private network, or of a host that only these have a name for. */
export const isNear = (url: string): boolean => {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, "") ?? ""
  const address = NetAddress.ipFromString(host)
  if (Result.isFailure(address)) return !host.includes(".") || /\.(localhost|local|internal|test)$/.test(host)
  return near.some((network) => IpNetwork.contains(network, address.success))
}

const near = ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"].map((text) =>
  Result.getOrThrow(IpNetwork.fromString(text))
)

/** Whether it is a network, as 10.0.0.0/8. */
export const isNetwork = (text: string): boolean => Result.isSuccess(IpNetwork.fromString(text))

/** Whether it is a network or may be the name of a host. */
export const isNetworkOrHost = (text: string): boolean => isNetwork(text) || /^[a-z0-9_.:-]+$/i.test(text)

/** Whether it is a mail address, or `@DOMAIN` for all addresses there. */
export const isMailTo = (text: string): boolean => /^[^\s@]*@[^\s@]+$/.test(text)
