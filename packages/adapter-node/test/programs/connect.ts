/** Sends one webhook to a name that leads to the given address, whatever it is, and prints why it failed. */
import { Effect } from "effect"
import { Dns, NetAddress } from "effect/net"
import { send, sender } from "../receivers.ts"

const [url = "", address = ""] = process.argv.slice(2)
const literal = NetAddress.ipFromStringUnsafe(address)
const record = NetAddress.isIpv4Address(literal)
  ? Dns.makeRecordUnsafe("A", { address: literal })
  : Dns.makeRecordUnsafe("AAAA", { address: literal })

const anywhere = sender({ policy: () => "open", dns: Dns.layerStatic({ records: { "receiver.kz": [record] } }) })

const answer = await Effect.runPromise(Effect.provide(send(url, { mode: "sandbox" }), anywhere))
console.log("reason" in answer ? answer.reason : answer.status)
