/** The core's `PictureMaker` with sharp, which is libvips with its decoders. */
import { overfull, type StorageError } from "@tolem/core/error/StorageError"
import {
  fileFormatOf,
  maxPictureBytes,
  maxPictureSide,
  type Picture,
  type PictureForm
} from "@tolem/core/picture/Picture"
import {
  type Drawing,
  InvalidPicture,
  type Overlay,
  PictureMaker,
  PicturesUnavailable
} from "@tolem/core/picture/PictureMaker"
import { Effect, Layer, Semaphore } from "effect"

/** Of one picture. Longer takes only what was made for it. */
const timeoutSeconds = 5
/** Pictures that are drawn at once: each may need memory for all its pixels. */
const atOnce = 2
/**
 * Those that are drawn or wait for it: far less than a minute of work, even for the worst of them. Drawings of our own
 * are asked for by strangers: however many they are, files of merchants find a place.
 */
const most = { remake: 10, draw: 8 } as const

/** The maker. It loads the library when there is a first picture, or a first page that may name one. */
export const layer: Layer.Layer<PictureMaker> = Layer.effect(
  PictureMaker,
  Effect.gen(function* () {
    const places = yield* Semaphore.make(atOnce)
    const library = yield* Effect.cached(loaded)
    const held = { remake: 0, draw: 0 }
    const placed = <A, E>(kind: keyof typeof held, work: (sharp: Sharp) => Effect.Effect<A, E>) =>
      Effect.suspend((): Effect.Effect<A, E | PicturesUnavailable | StorageError> => {
        if (held[kind] >= most[kind]) return Effect.fail(overfull(`PictureMaker.${kind}`))
        held[kind]++
        const worked = Effect.flatMap(library, (sharp) => places.withPermit(work(sharp)))
        return Effect.ensuring(
          worked,
          Effect.sync(() => {
            held[kind]--
          })
        )
      })
    return {
      remake: Effect.fn("PictureMaker.remake")(
        (file: Uint8Array, form: PictureForm): Remade =>
          isTaken(file)
            ? placed("remake", (sharp) =>
                Effect.tryPromise({ try: () => remake(sharp, file, form), catch: () => new InvalidPicture() })
              )
            : Effect.fail(new InvalidPicture())
      ),
      canDraw: Effect.isSuccess(library),
      draw: Effect.fn("PictureMaker.draw")((drawing: Drawing) =>
        placed("draw", (sharp) => Effect.promise(() => draw(sharp, drawing)))
      )
    }
  })
)

type Remade = Effect.Effect<Picture, InvalidPicture | PicturesUnavailable | StorageError>
type Sharp = Awaited<ReturnType<typeof load>>

const load = async () => {
  const { default: sharp } = await import("sharp")
  // What was decoded once is of no use to the next picture.
  sharp.cache(false)
  return sharp
}

/** The library stands in packages of its own for each platform, and there may be none for this one. */
const loaded = Effect.tryPromise(load).pipe(
  Effect.tapError(({ cause }) => Effect.logWarning("Pictures: sharp cannot be loaded, so none are taken", cause)),
  Effect.mapError(() => new PicturesUnavailable())
)

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

const laid = async (sharp: Sharp, { bytes, left, top, fill }: Overlay) => {
  const filling =
    fill &&
    sharp(bytes)
      .timeout({ seconds: timeoutSeconds })
      .resize({ ...fill, fit: "cover" })
  return { input: filling === undefined ? Buffer.from(bytes) : await filling.toBuffer(), left, top }
}

const draw = async (sharp: Sharp, { svg, overlay }: Drawing): Promise<Uint8Array> => {
  const ground = sharp(new TextEncoder().encode(svg)).timeout({ seconds: timeoutSeconds })
  const layers = overlay === null ? [] : [await laid(sharp, overlay)]
  return new Uint8Array(await ground.composite(layers).png({ palette: true, compressionLevel: 9 }).toBuffer())
}
