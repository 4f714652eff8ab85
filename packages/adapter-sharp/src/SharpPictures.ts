/** The core's `PictureMaker` with sharp, which is libvips with its decoders. */
import { overfull, type StorageError } from "@tolem/core/error/StorageError"
import {
  fileFormatOf,
  maxPictureBytes,
  maxPictureSide,
  type Picture,
  type PictureForm
} from "@tolem/core/picture/Picture"
import { type Drawing, InvalidPicture, PictureMaker } from "@tolem/core/picture/PictureMaker"
import { Effect, Layer, Semaphore } from "effect"

/** Of one picture. Longer takes only what was made for it. */
const timeoutSeconds = 5
/** Pictures that are drawn at once: each may need memory for all its pixels. */
const atOnce = 2
/** Those that wait for it, each with its file: far less than a minute of work, even for the worst of them. */
const mostWaiting = 16

/** The maker. It loads the library when there is a first picture. */
export const layer: Layer.Layer<PictureMaker> = Layer.effect(
  PictureMaker,
  Effect.gen(function* () {
    const places = yield* Semaphore.make(atOnce)
    const library = yield* Effect.cached(Effect.promise(load))
    let held = 0
    const placed = <A, E>(operation: string, work: (sharp: Sharp) => Effect.Effect<A, E>) =>
      Effect.suspend((): Effect.Effect<A, E | StorageError> => {
        if (held >= atOnce + mostWaiting) return Effect.fail(overfull(operation))
        held++
        const worked = Effect.flatMap(library, (sharp) => places.withPermit(work(sharp)))
        return Effect.ensuring(
          worked,
          Effect.sync(() => {
            held--
          })
        )
      })
    return {
      remake: Effect.fn("PictureMaker.remake")(
        (file: Uint8Array, form: PictureForm): Remade =>
          isTaken(file)
            ? placed("PictureMaker.remake", (sharp) =>
                Effect.tryPromise({ try: () => remake(sharp, file, form), catch: () => new InvalidPicture() })
              )
            : Effect.fail(new InvalidPicture())
      ),
      draw: Effect.fn("PictureMaker.draw")((drawing: Drawing) =>
        placed("PictureMaker.draw", (sharp) => Effect.promise(() => draw(sharp, drawing)))
      )
    }
  })
)

type Remade = Effect.Effect<Picture, InvalidPicture | StorageError>
type Sharp = Awaited<ReturnType<typeof load>>

const load = async () => {
  const { default: sharp } = await import("sharp")
  // What was decoded once is of no use to the next picture.
  sharp.cache(false)
  return sharp
}

const isTaken = (file: Uint8Array): boolean => file.byteLength <= maxPictureBytes && fileFormatOf(file) !== null

const remake = async (sharp: Sharp, file: Uint8Array, form: PictureForm): Promise<Picture> => {
  const source = sharp(file, {
    // Of one that moves the first page.
    pages: 1,
    limitInputPixels: maxPictureSide * maxPictureSide,
    sequentialRead: true,
    failOn: "error"
  }).timeout({ seconds: timeoutSeconds })
  const { format, width, height } = await source.metadata()
  // The library looks at more than the first bytes, and knows more formats than we take.
  if (format !== fileFormatOf(file) || Math.max(width, height) > maxPictureSide) throw new InvalidPicture()
  const upright = source.rotate().resize({
    width: form.width,
    height: form.height,
    fit: "inside",
    withoutEnlargement: true
  })
  const drawn =
    form.format === "png"
      ? upright.png({ palette: true, quality: 90, compressionLevel: 9 })
      : upright.flatten({ background: "#ffffff" }).jpeg({ quality: 82, mozjpeg: true })
  const { data, info } = await drawn.toBuffer({ resolveWithObject: true })
  const contentType = form.format === "png" ? "image/png" : "image/jpeg"
  return { contentType, bytes: new Uint8Array(data), width: info.width, height: info.height }
}

const draw = async (sharp: Sharp, { svg, overlay }: Drawing): Promise<Uint8Array> => {
  const ground = sharp(new TextEncoder().encode(svg)).timeout({ seconds: timeoutSeconds })
  const layers = overlay === null ? [] : [{ input: Buffer.from(overlay.bytes), left: overlay.left, top: overlay.top }]
  return new Uint8Array(await ground.composite(layers).png({ palette: true, compressionLevel: 9 }).toBuffer())
}
