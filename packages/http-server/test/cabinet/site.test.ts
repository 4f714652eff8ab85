/** How the built cabinet is served: the page at every address of it, its files for good, and nothing else. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Service, start } from "../support/service.ts"

const html = { accept: "text/html,*/*;q=0.8" }

describe("the cabinet's site", () => {
  let service: Service
  let script: string
  beforeAll(async () => {
    service = await start({ settings: { baseUrl: "https://pay.example.kz/shop" } })
    const page = await (await get("/cabinet/", html)).text()
    script = /src="\/shop(\/cabinet\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ""
  })
  afterAll(() => service.stop())

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`${service.url}${path}`, { method, headers, redirect: "manual" })

  it("has one page for all of its addresses, which loads what is under the public address", async () => {
    const bodies = await Promise.all(
      ["/cabinet/", "/cabinet/join?ref=A", "/cabinet/org_1/invoices/inv_1"].map(async (path) => {
        const answer = await get(path, html)
        expect(answer.status).toBe(200)
        expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
        expect(answer.headers.get("cache-control")).toBe("no-cache")
        expect(answer.headers.get("x-frame-options")).toBe("DENY")
        const policy = answer.headers.get("content-security-policy") ?? ""
        expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
        expect(policy).not.toMatch(/unsafe|https?:|\*/)
        return answer.text()
      })
    )
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).not.toMatch(/="\.\/|<script(?![^>]* src=)|<style| style=/)
    expect(
      [...(bodies[0] ?? "").matchAll(/(?:src|href)="([^"]+)"/g)].every(([, url]) => url?.startsWith("/shop/cabinet/"))
    ).toBe(true)
  })

  it("is not sent again to those who have it", async () => {
    const tag = (await get("/cabinet/", html)).headers.get("etag") ?? ""
    expect(tag).not.toBe("")
    expect((await get("/cabinet/join", { ...html, "if-none-match": tag })).status).toBe(304)
  })

  it("sends its files compressed as they were built, to be kept for good", async () => {
    const plain = await get(script, { "accept-encoding": "identity" })
    expect(plain.status).toBe(200)
    expect(plain.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    expect(plain.headers.get("vary")).toBe("Accept-Encoding")
    const text = await plain.text()
    for (const encoding of ["br", "gzip"]) {
      const packed = await get(script, { "accept-encoding": encoding })
      expect(packed.headers.get("content-encoding")).toBe(encoding)
      expect(await packed.text()).toBe(text)
    }
    const head = await get(script, { "accept-encoding": "br" }, "HEAD")
    expect([head.status, head.headers.get("content-encoding"), await head.text()]).toEqual([200, "br", ""])
  })

  it("leads to the folder with what was asked, and says of nothing else that it is there", async () => {
    const entry = await get("/cabinet?ref=MARAT7", html)
    expect([entry.status, entry.headers.get("location")]).toEqual([308, "/shop/cabinet/?ref=MARAT7"])
    for (const [path, headers] of [
      ["/cabinet/invoices", {}],
      ["/cabinet/invoices", { accept: "application/json" }],
      ["/cabinet/assets/index-00000000.js", html],
      ["/cabinet/assets/..%2f..%2fSiteFiles.ts", html],
      ["/cabinet/stamp", {}],
      [`${script}.br`, {}],
      ["/cabinetry", html]
    ] as const) {
      const answer = await get(path, headers)
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.json()).toMatchObject({ error: "route_not_found" })
    }
    const posted = await get("/cabinet/", html, "POST")
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })

  it("tells whose work it holds", async () => {
    const licenses = await (await get("/cabinet/licenses.txt")).text()
    for (const name of ["react", "@base-ui/react", "@tanstack/react-query"]) expect(licenses).toContain(`## ${name} - `)
    expect(licenses).not.toContain("## effect")
  })
})
