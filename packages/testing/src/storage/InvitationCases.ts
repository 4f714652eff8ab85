/** Promises of `InvitationStore`. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { type Invitation, type InvitationEnd, settle } from "@tolem/core/invitation/Invitation"
import { InvitationStore } from "@tolem/core/invitation/InvitationStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import type { AccountId } from "@tolem/core/value/Ids"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { accountOf, startAt } from "../fixtures.ts"
import { invitationBounds, invitationOf } from "../invitations.ts"
import { opened } from "./DirectoryCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

const add = (invitation: Invitation, bounds: Partial<typeof invitationBounds> = {}) =>
  InvitationStore.use((store) => store.add(invitation, { ...invitationBounds, ...bounds }, auditOf()))

/** The code of a refusal; `done` without one. */
const outcomeOf = <A, E extends object, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, {
    onSuccess: () => "done",
    onFailure: (refusal) => ("code" in refusal ? String(refusal.code) : String(refusal))
  })

const after = (invitation: Invitation, status: InvitationEnd, at = startAt + 1): Invitation =>
  Result.getOrThrow(settle(invitation, status, at))

const accepted = (invitation: Invitation, accountId: AccountId) => {
  const { organizationId, role, connectionIds, refundLimit } = invitation
  const membership = { organizationId, accountId, role, connectionIds, refundLimit, createdAt: startAt + 1 }
  return InvitationStore.use((store) => store.accept(after(invitation, "accepted"), membership, [auditOf(), auditOf()]))
}

const stored = ({ organizationId, id }: Invitation) =>
  Effect.map(
    InvitationStore.use((store) => store.find({ organizationId }, id)),
    Option.getOrUndefined
  )

const noted = Effect.map(
  AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 99 })),
  (records) => records.length
)

/** An organization, and a person who is no member of it. */
const asked = Effect.gen(function* () {
  const { organization, owner } = yield* opened()
  const person = yield* DirectoryStore.use((store) => store.addAccount(accountOf()))
  const invitation = invitationOf({ organizationId: organization.id, phone: person.phone })
  return { organization, owner, person, invitation }
})

/** What every storage must do, of “invitations”. */
export const casesOfInvitations = storageSubject("invitations", {
  *"come back as they were written, for their organization and for the person with the phone"() {
    const store = yield* InvitationStore
    const { organization, owner, person, invitation } = yield* asked
    const terms = { connectionIds: ["con_1", "con_2"], refundLimit: Tiyn(2_000_050) } as const
    const whole = { ...invitation, ...terms, role: "cashier", madeBy: owner.id } as const
    yield* add(whole)
    expectEqual(yield* store.find({ organizationId: organization.id }, whole.id), Option.some(whole), "theirs")
    expectEqual(yield* store.find({ accountId: person.id }, whole.id), Option.some(whole), "and of the person")
    expectEqual(yield* store.find({ organizationId: "org_none" }, whole.id), Option.none(), "of no other organization")
    expectEqual(yield* store.find({ accountId: owner.id }, whole.id), Option.none(), "and of no other person")
    expectEqual(yield* store.find({ accountId: "acc_none" }, whole.id), Option.none(), "of none")
    expectEqual(yield* store.list(organization.id, startAt, 9), [whole], "in the list of the one")
    expectEqual(yield* store.list("org_none", startAt, 9), [], "and in no other")
    expectEqual(
      yield* store.offered(person.id, startAt, 9),
      [{ invitation: whole, organization }],
      "offered to the one"
    )
    expectEqual(yield* store.offered(owner.id, startAt, 9), [], "and to no other")
    expectEqual(yield* noted, 1, "the log tells of it")
  },

  *"take the place of what was asked of the same phone"() {
    const store = yield* InvitationStore
    const { organization, person, invitation } = yield* asked
    const second = invitationOf({ ...invitation, id: "ivt_second", role: "manager", createdAt: startAt + 5 })
    yield* add(invitation)
    yield* add(second)
    expectEqual(
      yield* store.list(organization.id, startAt + 5, 9),
      [second, after(invitation, "withdrawn", startAt + 5)],
      "the first is withdrawn"
    )
    expectEqual((yield* store.offered(person.id, startAt + 5, 9)).length, 1, "one is offered")
    expectEqual(yield* accepted(invitation, person.id), false, "the other can be accepted no more")
  },

  *"are bounded, also when many are made at once"() {
    const { organization } = yield* opened()
    const made = Array.from({ length: 8 }, () => invitationOf({ organizationId: organization.id }))
    const outcomes = yield* Effect.forEach(made, (each) => outcomeOf(add(each, { maxPending: 3 })), {
      concurrency: "unbounded"
    })
    expectEqual(outcomes.filter((outcome) => outcome === "done").length, 3, "as many as may wait")
    expectEqual(new Set(outcomes), new Set(["done", "too_many_invitations"]), "others are refused")
    expectEqual(yield* noted, 3, "and leave no record")
    const { organization: other } = yield* opened()
    const ofOther = { organizationId: other.id, expiresAt: startAt + 1000 }
    const lazy = { maxPending: 1 }
    yield* add(invitationOf(ofOther), lazy)
    const late = { ...ofOther, createdAt: startAt + 1000, expiresAt: startAt + 2000 }
    expectEqual(yield* outcomeOf(add(invitationOf(late), lazy)), "done", "what has expired waits no more")
    const limited = { perPeriod: 2 }
    expectEqual(yield* outcomeOf(add(invitationOf(late), limited)), "invitation_limit", "as many as a period has")
    const next = { ...ofOther, createdAt: startAt + invitationBounds.periodMs, expiresAt: startAt + 9e9 }
    expectEqual(yield* outcomeOf(add(invitationOf(next), limited)), "done", "the next period has its own")
  },

  *"ask one phone so often and no oftener"() {
    const { invitation } = yield* asked
    const { id: _, ...same } = invitation
    const again = () => outcomeOf(add(invitationOf(same), { perPhone: 2 }))
    expectEqual([yield* again(), yield* again(), yield* again()], ["done", "done", "invitation_limit"], "twice")
    const { organizationId } = invitation
    expectEqual(yield* outcomeOf(add(invitationOf({ organizationId }), { perPhone: 2 })), "done", "another may be")
  },

  *"are not made for members"() {
    const { organization, owner } = yield* opened()
    const own = invitationOf({ organizationId: organization.id, phone: owner.phone })
    expectEqual(yield* outcomeOf(add(own)), "already_member", "refused")
    expectEqual(yield* stored(own), undefined, "and not kept")
    expectEqual(yield* noted, 0, "nor noted")
  },

  *"make a member with what they offer, once, however many accept at once"() {
    const directory = yield* DirectoryStore
    const { organization, owner, person, invitation } = yield* asked
    const offer = { ...invitation, role: "cashier", connectionIds: ["con_1"], refundLimit: Tiyn(500) } as const
    yield* add(offer)
    const answers = yield* Effect.forEach(
      [1, 2, 3, 4],
      () =>
        outcomeOf(
          Effect.flatMap(accepted(offer, person.id), (isDone) =>
            isDone ? Effect.void : Effect.fail({ code: "ended" })
          )
        ),
      { concurrency: "unbounded" }
    )
    expectEqual(answers.toSorted(), ["done", "ended", "ended", "ended"], "one of four")
    const { role, connectionIds, refundLimit } = offer
    expectEqual(
      yield* directory.members(organization.id),
      [
        { account: owner, role: "owner", connectionIds: [], refundLimit: null },
        { account: person, role, connectionIds, refundLimit }
      ],
      "a member with all of it"
    )
    expectEqual(yield* stored(offer), after(offer, "accepted"), "and it says so")
    expectEqual(yield* noted, 3, "one record of the offer, two of the answer")
    expectEqual(yield* outcomeOf(add({ ...offer, id: "ivt_again" })), "already_member", "a member is not asked again")
  },

  *"make no member out of a member"() {
    const { organization, owner, person, invitation } = yield* asked
    yield* add(invitation)
    const membership = { organizationId: organization.id, accountId: person.id, createdAt: startAt }
    const directory = yield* DirectoryStore
    yield* directory.setMember({ ...membership, role: "developer" }, auditOf())
    expectEqual(yield* outcomeOf(accepted(invitation, person.id)), "already_member", "refused")
    expectEqual(yield* stored(invitation), invitation, "nothing is written")
    const roles = (yield* directory.members(organization.id)).map(({ account, role }) => `${account.id} ${role}`)
    expectEqual(roles, [`${owner.id} owner`, `${person.id} developer`], "they are what they were")
    const offered = yield* InvitationStore.use((store) => store.offered(person.id, startAt, 9))
    expectEqual(offered, [], "and it is not offered")
  },

  *"end once: one of several answers at once counts"() {
    const store = yield* InvitationStore
    const { person, invitation } = yield* asked
    yield* add(invitation)
    const answers = yield* Effect.all(
      [
        store.settle(after(invitation, "withdrawn"), auditOf()),
        store.settle(after(invitation, "declined"), auditOf()),
        accepted(invitation, person.id)
      ],
      { concurrency: "unbounded" }
    )
    expectEqual(answers.filter(Boolean).length, 1, "the fastest")
    const ended = yield* stored(invitation)
    const isMember = (yield* DirectoryStore.use((directory) => directory.parts(person.id))).length > 0
    expectEqual(isMember, ended?.status === "accepted", "and what it says is so")
    expectEqual(yield* store.settle(after(invitation, "withdrawn"), auditOf()), false, "nothing ends it again")
    const wrong = after({ ...invitation, organizationId: "org_none" }, "withdrawn")
    expectEqual(yield* store.settle(wrong, auditOf()), false, "nor by another organization")
  },

  *"are offered while they can be accepted"() {
    const store = yield* InvitationStore
    const merchants = yield* MerchantStore
    const { organization, owner, person, invitation } = yield* asked
    yield* add(invitation)
    const offered = (at = startAt) => Effect.map(store.offered(person.id, at, 9), ({ length }) => length)
    expectEqual(yield* offered(invitation.expiresAt - 1), 1, "to the end")
    expectEqual(yield* offered(invitation.expiresAt), 0, "and not beyond")
    yield* merchants.setStatus({ organization: organization.id, status: "archived" }, startAt)
    expectEqual(yield* offered(), 0, "not of an archived organization")
    yield* merchants.setStatus({ organization: organization.id, status: "active" }, startAt)
    yield* merchants.setStatus({ account: owner.id, status: "blocked" }, startAt)
    expectEqual(yield* offered(), 0, "nor of a blocked owner")
    yield* merchants.setStatus({ account: owner.id, status: "active" }, startAt)
    yield* store.settle(after(invitation, "declined"), auditOf())
    expectEqual(yield* offered(), 0, "nor after an answer")
  },

  *"do not bring back who was removed"() {
    const directory = yield* DirectoryStore
    const { organization, person, invitation } = yield* asked
    yield* add(invitation)
    const membership = { organizationId: organization.id, accountId: person.id, createdAt: startAt }
    yield* directory.removeMember(organization.id, person.id, auditOf())
    expectEqual(yield* stored(invitation), invitation, "it waits while there is no member")
    yield* directory.setMember({ ...membership, role: "developer" }, auditOf())
    yield* directory.removeMember(organization.id, person.id, { ...auditOf(), createdAt: startAt + 7 })
    expectEqual(yield* stored(invitation), after(invitation, "withdrawn", startAt + 7), "and is withdrawn with one")
    expectEqual(yield* accepted(invitation, person.id), false, "so that it makes none")
  },

  *"are listed with those first that wait, newest first, so many"() {
    const store = yield* InvitationStore
    const { organization } = yield* opened()
    const at = (createdAt: number) =>
      invitationOf({ organizationId: organization.id, createdAt, expiresAt: createdAt + 1000 })
    const [old, first, second] = [at(startAt - 2000), at(startAt), at(startAt + 1)]
    for (const each of [old, first, second]) yield* add(each)
    const ended = after(second, "withdrawn", startAt + 2)
    yield* store.settle(ended, auditOf())
    expectEqual(yield* store.list(organization.id, startAt + 2, 9), [first, ended, old], "in this order")
    expectEqual(yield* store.list(organization.id, startAt + 2, 1), [first], "in portions")
  },

  *"are forgotten long after their end, in portions"() {
    const store = yield* InvitationStore
    const { organization } = yield* opened()
    const until = (expiresAt: number) => invitationOf({ organizationId: organization.id, expiresAt })
    const all = [until(startAt + 1), until(startAt + 2), until(startAt + 3)]
    for (const each of all) yield* add(each)
    expectEqual(yield* store.forget(startAt + 3, 1), 1, "a portion")
    expectEqual(yield* store.forget(startAt + 3, 5), 1, "the rest")
    expectEqual(yield* store.forget(startAt + 3, 5), 0, "and no more")
    expectEqual(yield* store.list(organization.id, startAt, 9), [all[2]!], "younger ones stay")
  }
})
