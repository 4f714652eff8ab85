/**
 * Who may have a place for an attempt, so that no party can take all of them. Pure bookkeeping.
 *
 * A party is an organization in one mode. It may begin another attempt only while there are `freePerPlace` free places
 * for each one that it has. So of parties that want everything each gets the same share, what they leave free is there
 * for newcomers at once, and the last places are only ever given to parties that have none. Sandboxes, which cost
 * nothing to open, together never have more than `ofSandbox`: live events wait for no sandbox.
 *
 * A place is held until its receiver answers, and more newcomers may come at once than there are free places. So a share
 * of the places is only for sound parties: however many others have receivers that hang, these wait for none of them.
 */

import type { OrganizationId } from "../../value/Ids.ts"
import type { Mode } from "../../value/Mode.ts"

/** Whose place it is. */
export interface Party {
  readonly organizationId: OrganizationId
  readonly mode: Mode
}

/** How many places there are, and how they are shared. */
export interface PlaceShares {
  readonly total: number
  readonly ofSandbox: number
  readonly freePerPlace: number
  /** The share of all places, and of those of sandboxes, that only sound parties may have: 0 to 1. */
  readonly soundShare: number
}

/** The places of attempts, and what each party has of them. */
export interface Places {
  readonly taken: () => number
  readonly takenBy: (party: Party) => number
  /** Whether the party may have one more. */
  readonly has: (party: Party) => boolean
  readonly take: (party: Party) => void
  readonly giveBack: (party: Party) => void
  /** The same places, for trying what would be. */
  readonly copy: () => Places
}

/** How places are shared, and whose last attempt arrived. */
interface Sharing extends PlaceShares {
  readonly isSound: (party: Party) => boolean
}

/** All places are free. A party is sound while its last attempt is known to have arrived. */
export const make = (shares: PlaceShares, isSound: (party: Party) => boolean): Places =>
  over({ ...shares, isSound }, new Map(), { all: 0, sandbox: 0 })

const over = (shares: Sharing, byParty: Map<string, number>, taken: { all: number; sandbox: number }): Places => {
  const takenBy = (party: Party) => byParty.get(keyOf(party)) ?? 0

  const freeFor = (party: Party) => {
    const share = shares.isSound(party) ? 0 : shares.soundShare
    const open = (places: number) => places - Math.floor(places * share)
    const free = open(shares.total) - taken.all
    return party.mode === "sandbox" ? Math.min(free, open(shares.ofSandbox) - taken.sandbox) : free
  }

  const add = (party: Party, count: 1 | -1) => {
    const mine = takenBy(party) + count
    if (mine === 0) byParty.delete(keyOf(party))
    else byParty.set(keyOf(party), mine)
    taken.all += count
    if (party.mode === "sandbox") taken.sandbox += count
  }

  return {
    taken: () => taken.all,
    takenBy,
    has: (party) => freeFor(party) > shares.freePerPlace * takenBy(party),
    take: (party) => add(party, 1),
    giveBack: (party) => add(party, -1),
    copy: () => over(shares, new Map(byParty), { ...taken })
  }
}

/** The name of a party. */
export const keyOf = ({ organizationId, mode }: Party): string => `${mode} ${organizationId}`
