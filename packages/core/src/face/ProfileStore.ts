/** Port: the profiles of organizations, with their logos. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { StoredPicture } from "../picture/PictureStore.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { Seller } from "./MerchantFace.ts"

/** What an organization says of itself. `version` counts its changes. */
export interface Profile extends Seller {
  readonly organizationId: OrganizationId
  readonly name: string
  readonly version: number
}

/** Port: profiles. */
export class ProfileStore extends Context.Service<
  ProfileStore,
  {
    readonly find: (id: OrganizationId) => Effect.Effect<Option.Option<Profile>, StorageError>
    /**
     * Writes a profile whose version is still the one before, with the logo that is new in it and the record of it. The
     * picture of a logo that it has no more goes. False if the version has moved on, or there is no such organization.
     */
    readonly replace: (
      profile: Profile,
      logo: StoredPicture | null,
      audit: AuditRecord
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/ProfileStore") {}
