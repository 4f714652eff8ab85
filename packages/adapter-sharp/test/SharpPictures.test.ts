/** Pictures of people, and what is sent in their place. */
import { deflateSync } from "node:zlib"
import { linkForm, logoForm, maxPictureBytes } from "@tolem/core/picture/Picture"
import { PictureMaker } from "@tolem/core/picture/PictureMaker"
import { Effect, Exit, ManagedRuntime } from "effect"
import sharp from "sharp"
import { afterAll, describe, expect, it } from "vitest"
import { SharpPictures } from "../src/index.ts"

const runtime = ManagedRuntime.make(SharpPictures.layer)
afterAll(() => runtime.dispose())

const maker = <A, E>(use: (maker: PictureMaker["Service"]) => Effect.Effect<A, E>) =>
  runtime.runPromise(Effect.flatMap(PictureMaker, use))
const logo = (file: Uint8Array) => maker(({ remake }) => remake(file, logoForm))
const refusal = async (file: Uint8Array) => {
  const exit = await maker(({ remake }) => Effect.exit(remake(file, logoForm)))
  return Exit.isFailure(exit) ? String(Exit.findErrorOption(exit)) : "taken"
}

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 90, alpha: 0.5 } } })

/** A PNG of one colour that is said to be of this size, with nearly nothing behind it. */
const bomb = (width: number, height: number): Uint8Array => {
  const chunk = (name: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc((width + 1) * Math.min(height, 4000)), { level: 9 })
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([mark, chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))])
}

const crc = (bytes: Uint8Array): number => {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}

describe("pictures", () => {
  it.each(["png", "jpeg", "webp"] as const)("takes %s and draws it anew within the form", async (format) => {
    const sent = await flat(900, 450).toFormat(format).toBuffer()
    const made = await logo(sent)
    expect(made).toMatchObject({ contentType: "image/png", width: 256, height: 128 })
    expect(await logo(sent)).toEqual(made)
    expect(await sharp(made.bytes).metadata()).toMatchObject({ format: "png", width: 256, height: 128 })
  })

  it("keeps what is transparent of a logo, and puts a link's picture on white", async () => {
    const sent = await flat(40, 40).png().toBuffer()
    expect((await sharp((await logo(sent)).bytes).metadata()).hasAlpha).toBe(true)
    const picture = await maker(({ remake }) => remake(sent, linkForm))
    expect(picture).toMatchObject({ contentType: "image/jpeg", width: 40, height: 40 })
    const [red, green, blue] = await sharp(picture.bytes).raw().toBuffer()
    expect([red, green, blue].every((value) => value !== undefined && value > 130)).toBe(true)
  })

  it("turns a photograph upright, and keeps neither its place nor any word of the file", async () => {
    const secret = "43.238949 Almaty, flat 12"
    const exif = { IFD0: { ImageDescription: secret, Copyright: secret }, IFD3: { GPSLatitudeRef: "N" } }
    const sent = await flat(80, 40).jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer()
    const tailed = Buffer.concat([sent, Buffer.from("<script>alert(1)</script>")])
    expect(tailed.toString("latin1")).toContain(secret)
    const made = await logo(tailed)
    expect(made).toMatchObject({ width: 40, height: 80 })
    expect(Buffer.from(made.bytes).toString("latin1")).not.toMatch(/Almaty|script/)
    expect(await sharp(made.bytes).metadata()).not.toHaveProperty("exif")
  })

  it.each([
    ["SVG", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"],
    ["SVG behind a declaration", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ["a page", "<html><script>alert(1)</script></html>"],
    ["a PDF", "%PDF-1.7\n1 0 obj\n<<>>\nendobj"],
    ["nothing", ""]
  ])("refuses %s", async (_name, text) => {
    expect(await refusal(Buffer.from(text))).toContain("InvalidPicture")
  })

  it("refuses formats that the library knows and we do not take", async () => {
    expect(await refusal(await flat(9, 9).gif().toBuffer())).toContain("InvalidPicture")
    expect(await refusal(await flat(9, 9).tiff().toBuffer())).toContain("InvalidPicture")
  })

  it("refuses a head of one format before something else, and a file that ends too early", async () => {
    const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
    expect(await refusal(Buffer.concat([mark, svg]))).toContain("InvalidPicture")
    expect(await refusal(Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), svg]))).toContain("InvalidPicture")
    const noise = Buffer.from(Array.from({ length: 120 * 120 * 3 }, (_, index) => (index * 7919) % 251))
    const photo = await sharp(noise, { raw: { width: 120, height: 120, channels: 3 } })
      .jpeg()
      .toBuffer()
    expect(await refusal(photo)).toBe("taken")
    expect(await refusal(photo.subarray(0, photo.length / 2))).toContain("InvalidPicture")
  })

  it("refuses small files of very many pixels, and large files", async () => {
    expect(bomb(4000, 4000).byteLength).toBeLessThan(maxPictureBytes)
    expect(await refusal(bomb(4000, 4000))).toBe("taken")
    for (const [width, height] of [
      [4097, 10],
      [10, 4097],
      [60_000, 60_000],
      [2 ** 31 - 1, 2 ** 31 - 1]
    ] as const) {
      expect(await refusal(bomb(Math.min(width, 60_000), height))).toContain("InvalidPicture")
    }
    const large = Buffer.concat([await flat(9, 9).png().toBuffer(), Buffer.alloc(maxPictureBytes)])
    expect(await refusal(large)).toContain("InvalidPicture")
  })

  it("draws our own drawings, with a logo over them", async () => {
    const ground = '<path d="M0 0h60v40H0z" fill="#00737f"/>'
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">${ground}</svg>`
    const { bytes } = await logo(await flat(10, 10).png().toBuffer())
    const made = await maker(({ draw }) => draw({ svg, overlay: { bytes, left: 5, top: 5 } }))
    expect(await sharp(made).metadata()).toMatchObject({ format: "png", width: 60, height: 40 })
    const { data } = await sharp(made).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    expect(Array.from(data.subarray(0, 3))).toEqual([0, 0x73, 0x7f])
    expect(Array.from(data.subarray((60 * 6 + 6) * 4, (60 * 6 + 6) * 4 + 3))).not.toEqual([0, 0x73, 0x7f])
  })

  it("lays a picture over a drawing so that it fills its place, whatever its own size", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"/>'
    const red = await sharp({ create: { width: 90, height: 9, channels: 3, background: "#ff0000" } })
      .png()
      .toBuffer()
    const overlay = { bytes: red, left: 40, top: 10, fill: { width: 20, height: 30 } }
    const made = await maker(({ draw }) => draw({ svg, overlay }))
    const { data } = await sharp(made).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => Array.from(data.subarray((60 * y + x) * 4, (60 * y + x) * 4 + 4))
    expect([at(40, 10), at(59, 39)]).toEqual([
      [255, 0, 0, 255],
      [255, 0, 0, 255]
    ])
    expect([at(39, 10)[3], at(40, 9)[3]]).toEqual([0, 0])
  })

  it("turns away at once what comes while others wait, and takes more when those are done", async () => {
    const file = await flat(400, 400).png().toBuffer()
    const asked = await Promise.all(Array.from({ length: 24 }, () => refusal(file)))
    expect(asked.filter((one) => one === "taken")).toHaveLength(10)
    expect(asked.filter((one) => one.includes("StorageError"))).toHaveLength(14)
    expect(await refusal(file)).toBe("taken")
  })

  it("takes a merchant's file while strangers ask for more drawings than it makes", async () => {
    const file = await flat(9, 9).png().toBuffer()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"/>'
    const drawn = () => maker(({ draw }) => Effect.exit(draw({ svg, overlay: null })))
    const [taken, ...drawings] = await Promise.all([refusal(file), ...Array.from({ length: 30 }, drawn)])
    expect(taken).toBe("taken")
    expect(drawings.filter(({ _tag }) => _tag === "Success")).toHaveLength(8)
  })
})
