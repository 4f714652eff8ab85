/** What every storage must do with profiles of organizations and their pictures. */

import { AuditStore } from "@tolem/core/audit/AuditStore"
import { noFace } from "@tolem/core/face/MerchantFace"
import { type Profile, ProfileStore } from "@tolem/core/face/ProfileStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { PictureStore, type StoredPicture } from "@tolem/core/picture/PictureStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect, Option } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { accountOf, organizationOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

/** A profile that follows the one of a new organization. */
export const profileOf = (organizationId: OrganizationId, members: Partial<Profile> = {}): Profile => ({
  organizationId,
  name: "Ақбота",
  legalName: "ЖШС Ақбота",
  idn: "123456789012",
  face: noFace,
  logo: null,
  version: 1,
  ...members
})

/** A picture of an organization. */
export const pictureOf = (organizationId: OrganizationId, members: Partial<StoredPicture> = {}): StoredPicture => ({
  id: "pic_1",
  organizationId,
  contentType: "image/png",
  bytes: Uint8Array.of(0, 1, 127, 128, 255),
  width: 3,
  height: 2,
  createdAt: startAt,
  ...members
})

const contact = {
  phone: "77001234567",
  whatsapp: "77001234568",
  email: "shop@example.kz",
  web: "https://shop.kz/?a=1&b='\"",
  address: "Алматы, Әуезов к-сі 1, «Ө»"
}

const opened = Effect.gen(function* () {
  const owner = accountOf()
  const organization = organizationOf(owner)
  yield* MerchantStore.use((store) => store.addOrganization(organization, owner))
  return organization
})

/** The cases of profiles. */
export const casesOfProfiles = storageSubject("profiles", {
  *"are those of the organization until they are changed, and then come back as they were written"() {
    const store = yield* ProfileStore
    const { id, name, legalName, idn } = yield* opened
    const fresh = { organizationId: id, name, legalName, idn, face: noFace, logo: null, version: 0 }
    expectEqual(Option.getOrNull(yield* store.find(id)), fresh, "of a new organization")
    expectEqual(yield* store.find("org_none"), Option.none(), "of none")
    const allowedOrigins = ["https://shop.kz", "http://127.0.0.1:8080"]
    const face = { contact, colour: "#0a7447", returnUrl: "https://shop.kz/back", allowedOrigins }
    const next = profileOf(id, { face })
    expectTrue(yield* store.replace(next, null, auditOf({ action: "organization.changed", organizationId: id })), "is")
    expectEqual(Option.getOrNull(yield* store.find(id)), next, "changed")
    const organization = yield* MerchantStore.use((store) => store.organization(id))
    expectEqual(Option.getOrThrow(organization).name, next.name, "the organization's name")
    const empty = profileOf(id, { legalName: null, idn: null, version: 2 })
    expectTrue(yield* store.replace(empty, null, auditOf()), "is emptied")
    expectEqual(Option.getOrNull(yield* store.find(id)), empty, "emptied")
  },

  *"are changed by one of several writers, with its record"() {
    const [store, audits] = [yield* ProfileStore, yield* AuditStore]
    const { id } = yield* opened
    const write = (name: string) =>
      store.replace(profileOf(id, { name }), null, auditOf({ action: "organization.changed", organizationId: id }))
    const done = yield* Effect.forEach(["a", "b", "c", "d"], write, { concurrency: 4 })
    expectEqual(done.filter((isDone) => isDone).length, 1, "one is written")
    const records = yield* audits.list({ organizationId: id, before: null, limit: 10 })
    expectEqual(records.length, 1, "one record")
    expectEqual(yield* store.replace(profileOf("org_none"), null, auditOf()), false, "of no organization")
  },

  *"keep the bytes of a logo, and the newest one only; pictures of links stay"() {
    const [store, pictures] = [yield* ProfileStore, yield* PictureStore]
    const { id } = yield* opened
    const [first, second] = ["pic_a", "pic_b"].map((name) => pictureOf(id, { id: name })) as [
      StoredPicture,
      StoredPicture
    ]
    expectTrue(yield* store.replace(profileOf(id, { logo: first.id }), first, auditOf()), "is set")
    const found = Option.getOrThrow(yield* pictures.find(first.id))
    expectEqual({ ...found, bytes: Array.from(found.bytes) }, { ...first, bytes: Array.from(first.bytes) }, "kept")
    // A version that is not the next one leaves no picture.
    expectEqual(yield* store.replace(profileOf(id, { logo: second.id }), second, auditOf()), false, "too late")
    expectEqual(yield* pictures.find(second.id), Option.none(), "not kept")
    expectTrue(yield* store.replace(profileOf(id, { logo: second.id, version: 2 }), second, auditOf()), "is replaced")
    expectEqual(yield* pictures.find(first.id), Option.none(), "the first one is gone")
    expectTrue(yield* store.replace(profileOf(id, { version: 3 }), null, auditOf()), "is removed")
    expectEqual(yield* pictures.find(second.id), Option.none(), "and so is the second")
  }
})
