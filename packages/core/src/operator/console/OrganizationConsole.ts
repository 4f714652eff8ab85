/** Use-cases of the console about organizations: found, looked at, archived, restored, given a tariff. */
import { Context, Effect, Layer, Option } from "effect"
import { refusal } from "../../error/Refusal.ts"
import { FieldRefused } from "../../error/Refusals.ts"
import { DirectoryStore } from "../../merchant/DirectoryStore.ts"
import type { Organization } from "../../merchant/Merchant.ts"
import { MerchantStore } from "../../merchant/MerchantStore.ts"
import { Organizations } from "../../merchant/Organizations.ts"
import { Tariffs } from "../../tariff/Tariffs.ts"
import { toIso } from "../../value/Calendar.ts"
import { isStorable, type JsonObject } from "../../value/Checks.ts"
import {
  type ConsoleListRequest,
  checkMonths,
  checkSearch,
  foundOf,
  pageOf,
  pageSize,
  placeAsked
} from "./ConsoleRequests.ts"
import { ConsoleStore } from "./ConsoleStore.ts"

/** There is no such organization. */
export class NoSuchOrganization extends refusal("NoSuchOrganization", "organization_not_found") {}

/** It has another tariff than the operator saw. Nothing was written. */
export class TariffSeenChanged extends refusal("TariffSeenChanged", "organization_changed") {}

const make = Effect.gen(function* () {
  const store = yield* ConsoleStore
  const directory = yield* DirectoryStore
  const merchants = yield* MerchantStore
  const organizations = yield* Organizations
  const tariffs = yield* Tariffs

  const find = Effect.fnUntraced(function* (id: unknown) {
    const found = yield* merchants.owned(typeof id === "string" && isStorable(id) ? id : "")
    return Option.isSome(found) ? found.value : yield* new NoSuchOrganization()
  })

  const list = Effect.fn("OrganizationConsole.list")(function* ({ search, after }: ConsoleListRequest) {
    const beginnings = checkSearch(search)
    if (beginnings !== null) {
      const found = beginnings.length === 0 ? [] : yield* store.findOrganizations(beginnings, pageSize + 1)
      return { ...foundOf(found.map(placed)), next: null }
    }
    const before = yield* Effect.fromResult(placeAsked(after))
    const found = yield* store.organizations({ before, limit: pageSize + 1 })
    return { ...pageOf(found.map(placed)), isCut: false }
  })

  const get = Effect.fn("OrganizationConsole.get")(function* (id: unknown) {
    const { organization, ownerStatus } = yield* find(id)
    const gone = new NoSuchOrganization()
    const standing = yield* Effect.catchTag(tariffs.standing(organization.id), "OrganizationNotFound", () => gone)
    const owner = Option.getOrNull(yield* directory.account({ id: organization.ownerId }))
    const members = (yield* directory.members(organization.id)).length
    const keys = (yield* merchants.keys(organization.id)).length
    return { standing, owner, ownerStatus, members, keys }
  })

  const switchTo = (status: Organization["status"]) =>
    Effect.fn("OrganizationConsole.switchTo")(function* (id: unknown) {
      const { organization } = yield* find(id)
      if (organization.status !== status) yield* organizations.setStatus(organization.id, status)
      return yield* get(organization.id)
    })

  const grant = Effect.fn("OrganizationConsole.grant")(function* (id: unknown, body: JsonObject) {
    const { organization } = yield* find(id)
    const months = yield* Effect.fromResult(checkMonths(body["months"]))
    const tariff = body["tariff"]
    if (typeof tariff !== "string") return yield* new FieldRefused({ code: "invalid_tariff" })
    const { tariffUntil } = organization
    const seen = { tariff: body["seenTariff"], until: body["seenUntil"] }
    const until = tariffUntil === null ? null : toIso(tariffUntil)
    // A grant that is sent twice prolongs once.
    if (seen.tariff !== organization.tariff || seen.until !== until) return yield* new TariffSeenChanged()
    const granted = tariffs.grant({ organizationId: organization.id, tariff, months })
    yield* Effect.catchTag(granted, "OrganizationNotFound", () => new NoSuchOrganization())
    return yield* get(organization.id)
  })

  return {
    /** A page, newest first; or those whose id, name, number or owner's phone begins with something, a page at most. */
    list,
    /** One, with its tariff, what it has used of it, its owner, and how many members, keys and cashiers it has. */
    get,
    /** Its keys are refused. May be repeated. */
    archive: switchTo("archived"),
    /** It is in force again. May be repeated. */
    restore: switchTo("active"),
    /** A tariff for nothing, for some months or without end, if it still has the one that the operator saw. */
    grant
  }
})

const placed = <O extends { readonly organization: Organization }>(owned: O) => ({
  ...owned,
  id: owned.organization.id,
  createdAt: owned.organization.createdAt
})

/** The console's use-cases about organizations. */
export class OrganizationConsole extends Context.Service<OrganizationConsole, Effect.Success<typeof make>>()(
  "@tolem/core/OrganizationConsole"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(OrganizationConsole, make)
}
