/** Files that people send, drawn anew to be kept for an organization. */
import { Clock, Effect, Option, PartitionedSemaphore, Result } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { StorageError } from "../error/StorageError.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { NamedPicture, PictureForm } from "./Picture.ts"
import { InvalidPicture, PictureMaker, PicturesUnavailable } from "./PictureMaker.ts"
import { storedOf } from "./PictureName.ts"
import type { StoredPicture } from "./PictureStore.ts"

/** What becomes of files. */
export interface PictureFiles {
  /** A file drawn anew in this form. */
  readonly drawn: (
    id: OrganizationId,
    file: Uint8Array,
    form: PictureForm
  ) => Effect.Effect<StoredPicture, InvalidPicture | PicturesUnavailable | StorageError>
  /** The picture that a member of a request asks for, a file in base64; null: none any more; undefined: as before. */
  readonly wanted: (
    id: OrganizationId,
    member: unknown,
    form: PictureForm
  ) => Effect.Effect<StoredPicture | null | undefined, InvalidPicture | PicturesUnavailable | StorageError>
}

/** Files that are drawn at once. Organizations that wait take turns, so that none keeps the others waiting. */
const atOnce = 2

/** See `PictureFiles`. */
export const make: Effect.Effect<PictureFiles, never, Digest.Digest> = Effect.gen(function* () {
  const digest = yield* Digest.Digest
  const maker = yield* Effect.serviceOption(PictureMaker)
  const turns = yield* PartitionedSemaphore.make<OrganizationId>({ permits: atOnce })

  const drawn: PictureFiles["drawn"] = Effect.fnUntraced(function* (id, file, form) {
    if (Option.isNone(maker)) return yield* new PicturesUnavailable()
    const picture = yield* turns.withPermit(id)(maker.value.remake(file, form))
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.provideService(storedOf(picture, id, now), Digest.Digest, digest)
  })

  const wanted: PictureFiles["wanted"] = Effect.fnUntraced(function* (id, member, form) {
    if (member === undefined || member === null) return member
    const file = typeof member === "string" ? Base64.decode(member) : Result.fail(null)
    return Result.isSuccess(file) ? yield* drawn(id, file.success, form) : yield* new InvalidPicture()
  })

  return { drawn, wanted }
})

/** A picture as what shows it knows it; what says nothing of one says nothing. */
export const namedOf = <P extends StoredPicture | null | undefined>(
  picture: P
): NamedPicture | Extract<P, null | undefined> =>
  (picture ? { name: picture.id, width: picture.width, height: picture.height } : picture) as
    | NamedPicture
    | Extract<P, null | undefined>
