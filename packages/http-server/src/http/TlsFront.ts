/** TLS in front of a server's connections: what it serves and how it bounds them stays as it is. */
import { createPrivateKey, X509Certificate } from "node:crypto"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { createServer } from "node:tls"
import { Redacted } from "effect"

/** Who a server is, as PEM: its certificate with those between it and its authority, and the certificate's key. */
export interface Identity {
  readonly certificate: string
  readonly key: Redacted.Redacted
}

/** TLS that was put in front. */
export interface TlsFront {
  /** The identity from now on; connections that are there keep theirs. It must be sound, see `problemOf`. */
  readonly change: (identity: Identity) => void
}

/** What is wrong with an identity, for people; null if it can be used. */
export const problemOf = ({ certificate, key }: Identity): string | null => {
  const read = attempt(() => new X509Certificate(certificate))
  if (read === null) return "the certificate is none in PEM"
  const own = attempt(() => createPrivateKey(Redacted.value(key)))
  if (own === null) return "the key is none in PEM, or has a passphrase"
  return read.checkPrivateKey(own) ? null : "the key is not that of the certificate"
}

/** Until when the certificate may be used, epoch milliseconds. */
export const validUntil = ({ certificate }: Identity): number => Date.parse(new X509Certificate(certificate).validTo)

/** Has each connection begin with a handshake of TLS, which may take so long. Before the server listens. */
export const putInFront = (server: Server, identity: Identity, handshakeMs: number): TlsFront => {
  const front = createServer({
    ...contextOf(identity),
    minVersion: "TLSv1.2",
    ALPNProtocols: ["http/1.1"],
    handshakeTimeout: handshakeMs
  })
  const inside = server.listeners("connection")
  const beginning = new Set<Socket>()
  server.removeAllListeners("connection")
  server.on("connection", (socket) => {
    beginning.add(socket)
    socket.once("close", () => beginning.delete(socket))
    front.emit("connection", socket)
  })
  front.on("secureConnection", (socket) => {
    for (const listener of inside) listener.call(server, socket)
  })
  front.on("tlsClientError", (_error, socket) => void socket.destroy())
  // The server knows those only that speak HTTP already.
  const closeKnown = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    closeKnown()
    for (const socket of beginning) socket.destroy()
  }
  return { change: (next) => front.setSecureContext(contextOf(next)) }
}

const contextOf = ({ certificate, key }: Identity) => ({ cert: certificate, key: Redacted.value(key) })

const attempt = <A>(read: () => A): A | null => {
  try {
    return read()
  } catch {
    return null
  }
}
