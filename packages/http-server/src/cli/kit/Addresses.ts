/** Which texts of flags and settings name something that can be reached. Pure. */
import { Result } from "effect"
import { IpNetwork } from "effect/net"

/** Whether it can be what customers reach the service at. */
export const isBase = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.search === "" && parsed.hash === ""
}

/** Whether it is a network, as 10.0.0.0/8. */
export const isNetwork = (text: string): boolean => Result.isSuccess(IpNetwork.fromString(text))

/** Whether it is a network or may be the name of a host. */
export const isNetworkOrHost = (text: string): boolean => isNetwork(text) || /^[a-z0-9_.:-]+$/i.test(text)

/** Whether it is a mail address, or `@DOMAIN` for all addresses there. */
export const isMailTo = (text: string): boolean => /^[^\s@]*@[^\s@]+$/.test(text)
