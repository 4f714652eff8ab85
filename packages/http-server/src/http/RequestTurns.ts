/**
 * When requests begin. As long as one party alone sends them, each begins at once. While several send, each party has
 * a few under way, and its others wait for these: a flood of requests is waited for by those who send it. A party that
 * sends no more than a few goes first, with what its request causes.
 */

/** How many begin at once. Durations are milliseconds. */
export interface PartyLimits {
  /** Requests of one party that are under way, while others send too. */
  readonly underWay: number
  /**
   * A request that is under way for so long is waiting itself, for a bank or for news, and takes no place any more. So
   * each party begins at least `underWay` requests in this time.
   */
  readonly sliceMs: number
  /** Others have sent something within so long, or else a party is alone. */
  readonly companyMs: number
  /**
   * For so long after a request began whose party has no more than `underWay` in all, parties that have more begin
   * `underWay` in a slice, and none in place of those that end. So the request, and what it causes, such as a webhook,
   * is done before most of a flood.
   */
  readonly quietMs: number
}

/** Where the turns get their time. */
export interface TurnClock {
  /** Milliseconds, from any beginning on. */
  readonly now: () => number
  /** Calls once, so many milliseconds from now. */
  readonly after: (ms: number, call: () => void) => void
  /** Calls once, when the requests that are there by now have been read. */
  readonly soon: (call: () => void) => void
}

/** Ends the turn of a request, whether it has begun or waits. Further calls do nothing. */
export type EndTurn = () => void

/** The turns of all requests of a server. */
export interface RequestTurns {
  /** Calls `begin` in the turn of the request: at once if its party is alone. */
  readonly enter: (party: string, begin: () => void) => EndTurn
}

interface Party {
  readonly name: string
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
  /** Requests that began in this slice and have not ended. */
  running: number
  /** Requests that began in this slice. */
  begun: number
  slice: number
}

/** Makes the turns of a server. */
export const make = (limits: PartyLimits, { now, after, soon }: TurnClock): RequestTurns => {
  const { underWay, sliceMs, companyMs, quietMs } = limits
  /** Those with requests under way or waiting. */
  const parties = new Map<string, Party>()
  /** Those that have requests waiting. */
  const crowded = new Set<Party>()
  let latest = { name: "", at: Number.NEGATIVE_INFINITY }
  /** The latest of the other parties. */
  let company = latest
  /** When a request began last whose party has no more than a few. */
  let quietAt = Number.NEGATIVE_INFINITY
  let isTicking = false
  let isCalled = false

  const note = (name: string) => {
    const at = now()
    if (latest.name === name) latest.at = at
    else {
      company = latest
      latest = { name, at }
    }
    return at
  }

  const hasCompany = (at: number) => at - company.at < companyMs

  const partyOf = (name: string): Party => {
    const known = parties.get(name)
    if (known !== undefined) return known
    const party: Party = { name, waiting: new Set(), running: 0, begun: 0, slice: 0 }
    parties.set(name, party)
    return party
  }

  const beginSome = (party: Party, places: number) => {
    let left = places
    for (const begin of party.waiting) {
      if (left-- <= 0) break
      party.waiting.delete(begin)
      begin()
    }
    if (party.waiting.size === 0) crowded.delete(party)
  }

  /** What may begin by now. Between two calls the server reads what has come. */
  const call = () => {
    isCalled = false
    const at = now()
    const isAlone = !hasCompany(at)
    const pressing: Array<Party> = []
    for (const party of [...crowded]) {
      if (isAlone) beginSome(party, Number.POSITIVE_INFINITY)
      else if (party.running + party.waiting.size > underWay) pressing.push(party)
      else {
        quietAt = at
        beginSome(party, underWay - party.running)
      }
    }
    const isQuiet = at - quietAt < quietMs
    for (const party of pressing) beginSome(party, underWay - (isQuiet ? party.begun : party.running))
  }

  const callSoon = () => {
    if (isCalled || crowded.size === 0) return
    isCalled = true
    soon(call)
  }

  /** Every slice, while any wait. */
  const tick = () => {
    for (const party of crowded) {
      party.slice++
      party.running = 0
      party.begun = 0
    }
    isTicking = crowded.size > 0
    if (isTicking) after(sliceMs, tick)
    callSoon()
  }

  const wait = (party: Party, begin: () => void) => {
    party.waiting.add(begin)
    crowded.add(party)
    callSoon()
    if (isTicking) return
    isTicking = true
    after(sliceMs, tick)
  }

  const enter = (name: string, serve: () => void): EndTurn => {
    const at = note(name)
    const party = partyOf(name)
    let slice: number | undefined
    let ended = false
    const begin = () => {
      slice = party.slice
      party.running++
      party.begun++
      serve()
    }
    if (party.waiting.size === 0 && !hasCompany(at)) begin()
    else wait(party, begin)
    return () => {
      if (ended) return
      ended = true
      if (slice === undefined) party.waiting.delete(begin)
      else if (slice === party.slice) party.running--
      if (party.waiting.size === 0) crowded.delete(party)
      callSoon()
      if (party.running === 0 && party.waiting.size === 0 && parties.get(name) === party) parties.delete(name)
    }
  }

  return { enter }
}
