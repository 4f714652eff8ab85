/** Which visitor an IP address stands for, when requests without a key are counted. Pure. */
import { Option, Result } from "effect"
import { NetAddress } from "effect/net"

/**
 * The network behind an address, as text: an IPv4 address by itself, also where it is written as IPv6; of another IPv6
 * address its first 64 bits, since a household has all that share them. What is no IP address is its own network.
 */
export const networkOf = (address: string): string => {
  // Drop the zone (`%eth0`): it names a local interface.
  const parsed = NetAddress.ipFromString(address.replace(/%.*$/s, ""))
  if (Result.isFailure(parsed)) return address
  const ip = parsed.success
  if (NetAddress.isIpv4Address(ip)) return NetAddress.formatIp(ip)
  return Option.match(NetAddress.fromIpv4Mapped(ip), {
    onSome: NetAddress.formatIp,
    onNone: () =>
      NetAddress.ipv6ToSegments(ip)
        .slice(0, 4)
        .map((segment) => segment.toString(16))
        .join(":")
  })
}
