/** Addresses of providers over HTTP: what goes to them is read by none on the way. */
import { expect, it } from "vitest"
import * as Protocol from "../src/Protocol.ts"

const fine = [
  "https://provider.kz",
  "https://8.8.8.8",
  "http://localhost:4020",
  "http://127.0.0.1:4020",
  "http://[::1]:4020",
  "http://10.1.2.3",
  "http://192.168.1.5",
  "http://[fd00::5]",
  "http://provider:4020",
  "http://bank.internal",
  "http://bank.local"
]
const exposed = [
  "http://provider.kz",
  "http://provider.kz.",
  "http://8.8.8.8",
  "http://134744072",
  "http://[2a00:1450::1]"
]
const none = ["", "provider.kz", "ftp://provider.kz", "file:///etc/passwd"]

it.each(fine)("%s is fine", (url) => expect(Protocol.addressFault(url)).toBeUndefined())
it.each(exposed)("%s would be read on the way", (url) => expect(Protocol.addressFault(url)).toContain("use https"))
it.each(none)("%s is no address", (url) => expect(Protocol.addressFault(url)).toContain("must be an address"))
