/** Connections of Node to addresses that were checked before, whatever the system makes of the host's name. */
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import type * as Undici from "@effect/platform-node/Undici"
import { NetAddress } from "effect/net"

/** How Undici gets its connection, and how that is closed at any time: also before it is made. */
export interface Connection {
  readonly connect: Undici.buildConnector.connector
  readonly close: () => void
}

/** A connection to one of these addresses. Certificates are checked against the host's name. */
export const connectionTo = (addresses: ReadonlyArray<NetAddress.IpAddress>): Connection => {
  const sockets: Array<Socket> = []
  const lookup = pinnedTo(addresses)

  const connect: Undici.buildConnector.connector = ({ protocol, hostname, port }, callback) => {
    const secure = protocol === "https:"
    const target = { host: hostname, port: Number(port) || (secure ? 443 : 80), lookup, noDelay: true }
    const socket = secure
      ? connectTls({ ...target, servername: serverNameOf(hostname), ALPNProtocols: ["http/1.1"] })
      : connectTcp(target)
    sockets.push(socket)
    const failed = (error: Error) => callback(error, null)
    socket.once("error", failed)
    socket.once(secure ? "secureConnect" : "connect", () => {
      socket.off("error", failed)
      callback(null, socket)
    })
  }

  const close = () => {
    for (const socket of sockets) {
      // What a closed connection still says is of no interest.
      socket.on("error", () => {})
      socket.destroy()
    }
  }

  return { connect, close }
}

// Servers of many names choose their certificate by it. Addresses have no name, and names in it no final dot.
const serverNameOf = (hostname: string): string => (isIP(hostname) === 0 ? hostname.replace(/\.$/, "") : "")

// For a literal address Node looks nothing up: that address is the only one in the list, too. The answer must not
// come at once: the system may refuse a connection then and there, and a TLS socket that ends while `connectTls` still
// makes it never gets to its listeners, so that its error would end the process.
const pinnedTo =
  (addresses: ReadonlyArray<NetAddress.IpAddress>): LookupFunction =>
  (_host, options, callback) => {
    const all = addresses.map((address) => ({
      address: NetAddress.formatIp(address),
      family: NetAddress.isIpv4Address(address) ? 4 : 6
    }))
    setImmediate(() => {
      if (options.all === true) callback(null, all)
      else callback(null, all[0]?.address ?? "", all[0]?.family)
    })
  }
