import { expect, it } from "vitest"
import { networkOf } from "../../src/access/Network.ts"

it.each([
  ["198.51.100.7", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["::ffff:c633:6407", "198.51.100.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8:1:2::", "2001:db8:1:2"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["::1", "0:0:0:0"],
  ["a pipe", "a pipe"],
  ["", ""]
])("counts %s as %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})
