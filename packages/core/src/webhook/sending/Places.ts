/**
 * Who may have a place for an attempt, so that no party can take all of them. Pure bookkeeping.
 *
 * A party is an organization in one mode. It may begin another attempt only while there are `freePerPlace` free places
 * for each one that it has. So of parties that want everything each gets the same share, what they leave free is there
 * for newcomers at once, and the last places are only ever given to parties that have none. Sandboxes, which cost
 * nothing to open, together never have more than `ofSandbox`: live events wait for no sandbox.
 *
 * A place is held until its receiver answers, and more newcomers may come at once than there are free places. So those
 * for endpoints that are not known to be sound never take more than a part of the places together: however many
 * receivers hang, the others are there for endpoints whose last attempt arrived.
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
  /** The share of all places, and of those of sandboxes, that only sound endpoints may have; one place is for all. */
  readonly soundShare: number
}

/** The places of attempts, and what each party has of them. The caller says whether an endpoint is sound. */
export interface Places {
  readonly taken: () => number
  readonly takenBy: (party: Party) => number
  /** Whether the party may have one more, for an endpoint that is sound or is not. */
  readonly has: (party: Party, isSound: boolean) => boolean
  readonly take: (party: Party, isSound: boolean) => void
  /** Gives back a place that was taken for an endpoint that was sound then, or was not. */
  readonly giveBack: (party: Party, wasSound: boolean) => void
  /** The same places, for trying what would be. */
  readonly copy: () => Places
}

/** Places that are taken, and those of them for endpoints that were not sound. */
interface Taken {
  readonly all: number
  readonly unsound: number
}

type TakenOf = Record<"total" | "sandbox", Taken>

const none: Taken = { all: 0, unsound: 0 }

/** All places are free. */
export const make = (shares: PlaceShares): Places => over(shares, new Map(), { total: none, sandbox: none })

const over = (shares: PlaceShares, byParty: Map<string, number>, taken: TakenOf): Places => {
  const takenBy = (party: Party) => byParty.get(keyOf(party)) ?? 0

  const kept = (places: number) => Math.min(places - 1, Math.floor(places * shares.soundShare))
  const freeOf = (places: number, { all, unsound }: Taken, isSound: boolean) =>
    isSound ? places - all : Math.min(places - all, places - kept(places) - unsound)
  const freeFor = ({ mode }: Party, isSound: boolean) => {
    const free = freeOf(shares.total, taken.total, isSound)
    return mode === "sandbox" ? Math.min(free, freeOf(shares.ofSandbox, taken.sandbox, isSound)) : free
  }

  const add = (party: Party, isSound: boolean, count: 1 | -1) => {
    const mine = takenBy(party) + count
    if (mine === 0) byParty.delete(keyOf(party))
    else byParty.set(keyOf(party), mine)
    const after = ({ all, unsound }: Taken) => ({ all: all + count, unsound: isSound ? unsound : unsound + count })
    taken.total = after(taken.total)
    if (party.mode === "sandbox") taken.sandbox = after(taken.sandbox)
  }

  return {
    taken: () => taken.total.all,
    takenBy,
    has: (party, isSound) => freeFor(party, isSound) > shares.freePerPlace * takenBy(party),
    take: (party, isSound) => add(party, isSound, 1),
    giveBack: (party, wasSound) => add(party, wasSound, -1),
    copy: () => over(shares, new Map(byParty), { ...taken })
  }
}

/** The name of a party. Asked for each time that a place comes free: made once for each object that says it. */
export const keyOf = (party: Party): string => {
  const known = keys.get(party)
  if (known !== undefined) return known
  const made = `${party.mode} ${party.organizationId}`
  keys.set(party, made)
  return made
}

const keys = new WeakMap<Party, string>()

/**
 * What each job holds: a place until its attempt has ended, then a share of what is not settled yet. So places are not
 * waited for while what has ended is written down, and a storage that is slow holds up the sending in the end.
 */
export const makeHeld = <A extends object>(shares: PlaceShares) => {
  const places = make(shares)
  const unsettled = make(sharesOfUnsettled(shares))
  const jobs = new Map<A, { readonly party: Party; readonly isSound: boolean; hasEnded: boolean }>()
  return {
    places,
    held: {
      /** Whether there is room for what the party's next attempt leaves to be settled. */
      hasRoom: (party: Party): boolean => unsettled.has(party, true),
      /** Whether the job holds a place that it got when its endpoint was sound, or has held it. */
      wasSound: (job: A): boolean => jobs.get(job)?.isSound === true,
      /** Takes a place, for an endpoint that is sound or is not. */
      begin: (job: A, party: Party, isSound: boolean): void => {
        places.take(party, isSound)
        jobs.set(job, { party, isSound, hasEnded: false })
      },
      /** Gives the place back once the attempt has ended. Answers whether the job had it until now. */
      end: (job: A): boolean => {
        const own = jobs.get(job)
        if (own === undefined || own.hasEnded) return false
        own.hasEnded = true
        places.giveBack(own.party, own.isSound)
        unsettled.take(own.party, true)
        return true
      },
      /** Gives back whatever the job holds. Answers whether its attempt had ended before. */
      leave: (job: A): boolean => {
        const own = jobs.get(job)
        if (own === undefined) return false
        jobs.delete(job)
        if (own.hasEnded) unsettled.giveBack(own.party, true)
        else places.giveBack(own.party, own.isSound)
        return own.hasEnded
      }
    }
  }
}

/** Attempts that have ended and are not settled yet, for each place. */
const unsettledPerPlace = 2

/** How many more of them must be free for each that a party has: what one alone has written holds up others' writes. */
const freePerUnsettled = 4

const sharesOfUnsettled = ({ total, ofSandbox, freePerPlace }: PlaceShares): PlaceShares => ({
  total: unsettledPerPlace * total,
  ofSandbox: unsettledPerPlace * ofSandbox,
  freePerPlace: freePerUnsettled * freePerPlace,
  soundShare: 0
})
