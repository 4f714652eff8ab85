import { expect, it } from "vitest"
import { isNear } from "../src/cli/kit/Addresses.ts"

it("addresses that are near are of this machine, of a private network, or of a name that only these have", () => {
  const near = ["localhost", "127.0.0.2:80", "[::1]", "shop", "10.1.2.3", "192.168.0.9", "[fd00::1]", "shop.internal"]
  const far = ["shop.kz", "172.32.0.1", "8.8.8.8", "[2001:db8::1]", "localhost.shop.kz"]
  expect(near.filter((host) => !isNear(`http://${host}/hook`))).toEqual([])
  expect(far.filter((host) => isNear(`http://${host}/hook`))).toEqual([])
})
