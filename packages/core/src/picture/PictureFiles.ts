/** Files that people send, drawn anew to be kept for an organization. */
import { Clock, Effect, Option, PartitionedSemaphore, Result } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { overfull, type StorageError } from "../error/StorageError.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { NamedPicture, PictureForm } from "./Picture.ts"
import { InvalidPicture, PictureMaker, PicturesUnavailable } from "./PictureMaker.ts"
import { storedOf } from "./PictureName.ts"
import type { StoredPicture } from "./PictureStore.ts"

/** What becomes of files. */
export interface PictureFiles {
  /** A file drawn anew in this form. Where too many wait already, it fails at once as a storage that is away does. */
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

/** Files that are drawn or wait for it: of one organization, and of all on a server. Each is held in memory. */
const mostOfOne = 8
const most = 64

/** See `PictureFiles`. */
export const make: Effect.Effect<PictureFiles, never, Digest.Digest> = Effect.gen(function* () {
  const digest = yield* Digest.Digest
  const maker = yield* Effect.serviceOption(PictureMaker)
  const turns = yield* PartitionedSemaphore.make<OrganizationId>({ permits: atOnce })

  const held = new Map<OrganizationId, number>()
  let all = 0
  const hold = (id: OrganizationId, by: 1 | -1): void => {
    all += by
    const own = (held.get(id) ?? 0) + by
    if (own === 0) held.delete(id)
    else held.set(id, own)
  }
  /** The effect, unless too many wait already: those whose turn is far off are asked to come again. */
  const bounded = <A, E>(id: OrganizationId, effect: Effect.Effect<A, E>): Effect.Effect<A, E | StorageError> =>
    Effect.suspend((): Effect.Effect<A, E | StorageError> => {
      const own = held.get(id) ?? 0
      if (own >= mostOfOne || all >= most) return Effect.fail(overfull("PictureFiles.drawn"))
      return Effect.acquireUseRelease(
        Effect.sync(() => hold(id, 1)),
        () => effect,
        () => Effect.sync(() => hold(id, -1))
      )
    })

  const drawn: PictureFiles["drawn"] = Effect.fnUntraced(function* (id, file, form) {
    if (Option.isNone(maker)) return yield* new PicturesUnavailable()
    const picture = yield* bounded(id, turns.withPermit(id)(maker.value.remake(file, form)))
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
