/** Port: where pictures are kept that people have sent. They are written by what shows them, in its own write. */
import { Context, type Effect, type Option } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { Picture } from "./Picture.ts"

/** A picture of an organization. Its id is a digest of what it holds, so that an address always shows the same. */
export interface StoredPicture extends Picture {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly createdAt: number
}

/** Port: pictures. */
export class PictureStore extends Context.Service<
  PictureStore,
  {
    /** The picture with this id, of any organization. */
    readonly find: (id: string) => Effect.Effect<Option.Option<StoredPicture>, StorageError>
  }
>()("@tolem/core/PictureStore") {}
