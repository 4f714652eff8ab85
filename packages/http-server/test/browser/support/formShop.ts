/** A shop's own site, which is not the server's: each page of it has a form. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** Opens the site; its form is sent to the address behind its path. The caller stops it. */
export const openShop = async () => {
  const server = createServer((request, response) => {
    const to = new URL(request.url ?? "", "http://shop").searchParams.get("to")
    response.setHeader("content-type", "text/html; charset=utf-8")
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1>
      <form method="post" action="${to}"><input name="amount"><input name="phone"><input name="website">
      <button>Buy</button></form>`)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

/** A shop's site that is open. */
export type FormShop = Awaited<ReturnType<typeof openShop>>
