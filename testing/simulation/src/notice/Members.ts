/** Members of the merchants' organizations, who wish to be told of all that they may see. */

import { recordOf } from "@tolem/core/audit/Audit"
import type { Desk } from "@tolem/core/cabinet/Desks"
import { Engine } from "@tolem/core/engine/Engine"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { noTerms, type Role } from "@tolem/core/merchant/Merchant"
import { MessengerLinkStore } from "@tolem/core/messenger/MessengerLinkStore"
import { type NoticeChannel, noticeKinds } from "@tolem/core/notice/NoticeKinds"
import { type AccountId, type ConnectionId, Ids, type OrganizationId } from "@tolem/core/value/Ids"
import { Mode } from "@tolem/core/value/Mode"
import { Clock, Effect } from "effect"
import type { Cluster } from "../Cluster.ts"
import type { Shop, World } from "../World.ts"

/** A member, and what they wished before any trouble began. */
export interface ToldMember {
  readonly organizationId: OrganizationId
  /** The organization's name, with which their messages begin. */
  readonly organization: string
  readonly accountId: AccountId
  readonly phone: string
  readonly role: Role
  readonly connectionIds: ReadonlyArray<ConnectionId>
  readonly lines: ReadonlyArray<ToldLine>
  /** When they were told that they are no member any more, by the simulation's clock; null: they are one. */
  removedAt: number | null
}

/** Where one of their lines goes. */
export interface ToldLine {
  readonly mode: Mode
  readonly channel: NoticeChannel
  readonly to: string
  /** Until which minute of the day they sleep, from four in the morning on; null: they never do. */
  readonly quietTo: number | null
}

/** When the quiet hours begin, in minutes of the day: all histories begin at five. */
export const quietFrom = 240

interface Wanted {
  readonly role: Exclude<Role, "owner">
  readonly connectionIds: ReadonlyArray<ConnectionId>
}

const timeOf = (minutes: number) => `0${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`

const joined = Effect.fnUntraced(function* (shop: Shop, phone: string, { role, connectionIds }: Wanted) {
  const { members } = yield* Engine
  const { organizationId } = shop
  const added = yield* members.add(organizationId, { phone, role, email: `${phone}@mail.kz` })
  const { id: accountId } = added.account
  if (added.role === role && connectionIds.length > 0) {
    const deed = { action: "member.added", organizationId, subject: accountId } as const
    const membership = { organizationId, accountId, role, connectionIds, refundLimit: null }
    const before = { role, ...noTerms }
    yield* (yield* DirectoryStore).changeMember(membership, before, yield* recordOf(yield* Ids, deed))
  }
  const now = yield* Clock.currentTimeMillis
  yield* (yield* MessengerLinkStore).add({
    accountId,
    status: "linked",
    chatId: `chat of ${phone}`,
    codeDigest: null,
    codeUntil: null,
    reason: null,
    freeAt: 0,
    createdAt: now,
    version: 1
  })
  return { accountId, role: added.role }
})

/** Lets people join the shop's organization, and has each choose what they are told. */
export const join = Effect.fnUntraced(function* (world: World, shop: Shop, ownerPhone: string) {
  const { simulation } = world
  const { organizations, connections, notices } = yield* Engine
  const organization = yield* organizations.get(shop.organizationId)
  const other = yield* connections.create(organization.id, { name: "Another till" })
  const wanted: ReadonlyArray<Wanted> = [
    { role: "manager", connectionIds: [] },
    { role: "cashier", connectionIds: [shop.connectionId] },
    { role: "cashier", connectionIds: [other.id] },
    { role: "accountant", connectionIds: [] },
    { role: "developer", connectionIds: [] }
  ]
  const members: Array<ToldMember> = []
  for (const [index, one] of wanted.entries()) {
    // The owner is not made another by being added once more.
    const phone = index === 0 ? ownerPhone : `${ownerPhone.slice(0, -2)}${index}${ownerPhone.slice(-1)}`
    const { accountId, role } = yield* joined(shop, phone, one)
    const lines: Array<ToldLine> = []
    for (const mode of Mode.literals) {
      if (!simulation.chance(0.6)) continue
      const channel = simulation.pick(["letter", "telegram"] as const)
      const quietTo = simulation.chance(0.3) ? simulation.between(301, 320) : null
      const { connectionIds } = one
      const desk: Desk = {
        accountId,
        organization,
        role,
        connectionIds,
        refundLimit: null,
        mode,
        reach: "all",
        isFresh: false
      }
      const quiet =
        quietTo === null ? null : { from: timeOf(quietFrom), to: timeOf(quietTo), days: [1, 2, 3, 4, 5, 6, 7] }
      yield* notices.choose(desk, channel, { kinds: [...noticeKinds], language: "en", minimum: null, quiet })
      lines.push({ mode, channel, to: channel === "letter" ? `${phone}@mail.kz` : `chat of ${phone}`, quietTo })
    }
    const { organizationId } = shop
    const { connectionIds } = one
    const { name } = organization
    members.push({ organizationId, organization: name, accountId, phone, role, connectionIds, lines, removedAt: null })
  }
  return members
})

/** Some of them have to go, in the midst of the trouble. */
export const removals = (cluster: Cluster, members: ReadonlyArray<ToldMember>): Effect.Effect<void> => {
  const { world } = cluster
  const { simulation } = world
  const leaving = members.filter(({ role }) => role !== "owner" && simulation.chance(0.3))
  const remove = Effect.fnUntraced(function* (member: ToldMember) {
    const { organizationId, phone } = member
    yield* Effect.sleep(simulation.between(500, 3000))
    const heard = yield* cluster.anyServer()?.call((engine) => engine.members.remove(organizationId, phone)) ??
      Effect.succeed("nothing" as const)
    if (heard === "nothing" || heard._tag === "Failure") return false
    world.note("member", `${phone} is removed`)
    member.removedAt = simulation.nowMs
    return true
  })
  const depart = (member: ToldMember) =>
    Effect.andThen(
      Effect.suspend(() => Effect.sleep(simulation.between(0, 25_000))),
      Effect.repeat(remove(member), { until: (isDone) => isDone })
    )
  return Effect.forEach(leaving, depart, { concurrency: "unbounded", discard: true })
}
