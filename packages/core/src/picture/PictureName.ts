/** Names of pictures: the same picture of an organization has one, and no other picture has it. */
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { OrganizationId } from "../value/Ids.ts"
import type { Picture } from "./Picture.ts"
import type { StoredPicture } from "./PictureStore.ts"

/** The picture as it is to be kept for an organization. */
export const storedOf = Effect.fnUntraced(function* (picture: Picture, organizationId: OrganizationId, now: number) {
  const digest = yield* Digest.Digest
  const owner = new TextEncoder().encode(`${organizationId}\n`)
  const named = new Uint8Array(owner.length + picture.bytes.length)
  named.set(owner)
  named.set(picture.bytes, owner.length)
  const id = Hex.encode(yield* Effect.orDie(digest.digest(Digest.sha256, named))).slice(0, nameLength)
  const stored: StoredPicture = { ...picture, id, organizationId, createdAt: now }
  return stored
})

/** 160 bits: no two pictures can be found of one name. */
const nameLength = 40

/** Whether a text could be the name of a picture. */
export const isPictureName = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)
