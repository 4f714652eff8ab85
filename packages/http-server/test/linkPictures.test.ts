/** Pictures of payment links: sent by merchants, drawn anew, shown on the page and to messengers. */
import { Engine } from "@tolem/core/engine/Engine"
import { PictureMaker, PicturesUnavailable } from "@tolem/core/picture/PictureMaker"
import { Effect, Layer, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { PNG } from "./support/png.ts"
import { type Key, type Service, start } from "./support/service.ts"

/** As the maker of a machine that there is no library for. */
const withoutLibrary = Layer.succeed(PictureMaker, {
  remake: () => Effect.fail(new PicturesUnavailable()),
  canDraw: Effect.succeed(false),
  draw: () => Effect.fail(new PicturesUnavailable())
})

let service: Service
let bare: Service
let lacking: Service
let key: Key
beforeAll(async () => {
  ;[service, bare, lacking] = await Promise.all([
    start(),
    start({ pictures: Layer.empty }),
    start({ pictures: withoutLibrary })
  ])
  key = await service.key()
})
afterAll(() => Promise.all([service.stop(), bare.stop(), lacking.stop()]))

const picture = Buffer.from(PNG).toString("base64")
const api = (method: string, path: string, body?: object, own: Key = key, at: Service = service) =>
  call(at, method, `/api/v1/payment-links${path}`, { key: own, body })
const make = async (body: object) => {
  const { status, body: made } = await api("POST", "", { title: "Йога", amount: 100, ...body })
  expect([status, made["error"]]).toEqual([201, undefined])
  return { id: String(made["id"]), slug: String(made["slug"]), pictureUrl: made["pictureUrl"] }
}
const pageOf = async (slug: string, at = service) => {
  const answer = await fetch(`${at.url}/l/${slug}?lang=en`, { headers: { accept: "text/html" } })
  return { answer, text: await answer.text() }
}
const pathOf = (url: unknown) => new URL(String(url), service.url).pathname
const statusOf = async (url: unknown) => (await fetch(`${service.url}${pathOf(url)}`)).status
/** A PNG file of this size. */
const photo = async (width: number, height: number, fill = "#0a84ff") => {
  const { pictureMaker } = await service.run(Engine)
  const ground = `<path d="M0 0h${width}v${height}H0z" fill="${fill}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}</svg>`
  return Buffer.from(await service.run(Option.getOrThrow(pictureMaker).draw({ svg, overlay: null })))
}

describe("the picture of a payment link", () => {
  it("is drawn anew, sized, lazy and described on the page, and kept for ever by its address", async () => {
    const file = await photo(2000, 1000)
    const link = await make({ title: 'Йога "саябақта"', picture: file.toString("base64") })
    const { answer, text } = await pageOf(link.slug)
    const described = `src="${pathOf(link.pictureUrl)}" alt="Йога &quot;саябақта&quot;"`
    const sized = 'width="1200" height="600" loading="lazy" decoding="async"'
    expect(text).toContain(`<img class="picture" ${described} ${sized}>`)
    expect(answer.headers.get("content-security-policy")).toContain("img-src 'self'")
    expect(Buffer.byteLength(text)).toBeLessThan(20_480)
    const shown = await fetch(`${service.url}${pathOf(link.pictureUrl)}`)
    expect(shown.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    expect(shown.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*sandbox$/)
    expect([shown.headers.get("content-type"), Buffer.from(await shown.arrayBuffer()).toString("hex", 0, 3)]).toEqual([
      "image/jpeg",
      "ffd8ff"
    ])
    const program = await call(service, "GET", `/l/${link.slug}`)
    expect(program.body["pictureUrl"]).toBe(link.pictureUrl)
    expect((await api("GET", `/${link.id}`)).body["pictureUrl"]).toBe(link.pictureUrl)
  })

  it("stays with other changes, is exchanged and taken away, and goes with its link", async () => {
    const link = await make({ picture })
    const first = link.pictureUrl
    expect(await statusOf(first)).toBe(200)
    expect((await api("PATCH", `/${link.id}`, { title: "Other" })).body["pictureUrl"]).toBe(first)
    const file = (await photo(30, 20)).toString("base64")
    const { pictureUrl: second } = (await api("PATCH", `/${link.id}`, { picture: file })).body
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    // The logo of the merchant stands apart.
    const { profiles } = await service.run(Engine)
    const { logo } = await service.run(profiles.setLogo(key.organizationId, PNG))
    const other = await make({ picture: file })
    expect(other.pictureUrl).toBe(second)
    expect((await api("PATCH", `/${link.id}`, { picture: null })).body["pictureUrl"]).toBe(null)
    expect(await statusOf(second)).toBe(200)
    await api("DELETE", `/${other.id}`)
    expect([await statusOf(second), await statusOf(`/pictures/${logo}`)].map(String)).toEqual(["404", "200"])
    await service.run(profiles.removeLogo(key.organizationId))
    expect((await pageOf(link.slug)).text).not.toContain("<img")
  })

  it("is refused where it is none, and changes nothing then", async () => {
    const link = await make({ picture })
    const large = Buffer.concat([PNG, Buffer.alloc(256 * 1024)]).toString("base64")
    for (const wanted of [7, "x", "", btoa("<svg xmlns='http://www.w3.org/2000/svg'/>"), large]) {
      for (const { status, body } of [
        await api("PATCH", `/${link.id}`, { title: "Other", picture: wanted }),
        await api("POST", "", { title: "Other", picture: wanted })
      ]) {
        expect([status, body["error"]]).toEqual([422, "invalid_picture"])
      }
    }
    const beyond = await api("POST", "", { title: "Other", picture: "A".repeat(400 * 1024) })
    expect([beyond.status, beyond.body["error"]]).toEqual([413, "payload_too_large"])
    const { body } = await api("GET", `/${link.id}`)
    expect([body["title"], body["pictureUrl"]]).toEqual(["Йога", link.pictureUrl])
    // Nothing is drawn for a link of another merchant.
    const stranger = await api("PATCH", `/${link.id}`, { picture }, await service.key())
    expect([stranger.status, stranger.body["error"]]).toEqual([403, "forbidden"])
  })

  it("is on the image that messengers show, which is another one for another picture", async () => {
    const files = [await photo(600, 600), await photo(600, 600, "#ff3b30")].map((file) => file.toString("base64"))
    const links = [await make({}), await make({ picture: files[0] }), await make({ picture: files[1] })]
    const tags = new Set<string>()
    for (const { slug } of links) {
      const answer = await fetch(`${service.url}/l/${slug}/preview.png?lang=en`)
      expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 1, 4)).toBe("PNG")
      tags.add(String(answer.headers.get("etag")))
      expect((await pageOf(slug)).text).toContain(`<meta property="og:image" content="http`)
    }
    expect(tags.size).toBe(3)
  })

  it("is named by no page of a server whose library cannot be loaded", async () => {
    const own = await lacking.key()
    const { body } = await api("POST", "", { title: "Йога", amount: 100 }, own, lacking)
    const path = `/l/${String(body["slug"])}`
    const { invoiceId } = (await call(lacking, "POST", path)).body
    for (const page of [path, `/pay/${String(invoiceId)}`]) {
      const answer = await fetch(`${lacking.url}${page}?lang=en`, { headers: { accept: "text/html" } })
      const text = await answer.text()
      expect([answer.status, text.includes("og:title"), text.includes("og:image")]).toEqual([200, true, false])
      expect((await fetch(`${lacking.url}${page}/preview.png`)).status).toBe(404)
    }
  })

  it("is refused with a code by a server that draws none, where all else works", async () => {
    const own = await bare.key()
    const refused = await api("POST", "", { title: "Йога", amount: 100, picture }, own, bare)
    expect([refused.status, refused.body["error"]]).toEqual([501, "pictures_unavailable"])
    const { status, body } = await api("POST", "", { title: "Йога", amount: 100, picture: null }, own, bare)
    expect([status, body["pictureUrl"]]).toEqual([201, null])
    const patched = await api("PATCH", `/${body["id"]}`, { picture }, own, bare)
    expect([patched.status, patched.body["error"]]).toEqual([501, "pictures_unavailable"])
    const { answer, text } = await pageOf(String(body["slug"]), bare)
    expect([answer.status, text.includes("og:image"), text.includes("<img")]).toEqual([200, false, false])
    const { profiles } = await bare.run(Engine)
    const logo = await bare.run(Effect.flip(profiles.setLogo(own.organizationId, PNG)))
    expect(logo).toMatchObject({ code: "pictures_unavailable" })
  })
})
