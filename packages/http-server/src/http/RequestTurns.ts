/**
 * When requests begin. As long as one party alone sends them, each begins at once. While several send, each party has
 * a few under way, and its others wait for these: a flood of requests is waited for by those who send it. A party that
 * has sent no more than a few lately goes first, with what its request causes.
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
   * For so long after a request began whose party has sent few, the other parties begin `underWay` in a slice, and none
   * in place of those that end. So the request, and what it causes, such as a webhook, is done before most of a flood.
   */
  readonly quietMs: number
  /**
   * What follows that time at least before the next one begins, however many such requests there are: the others go on.
   * A party has sent few if it has sent no more than `underWay` within the two together.
   */
  readonly restMs: number
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

/**
 * Ends the turn of a request, whether it has begun or waits. Further calls do nothing. `mayCause`: it may have caused
 * something that goes on; what was refused, or only read, has not.
 */
export type EndTurn = (mayCause: boolean) => void

/** The turns of all requests of a server. */
export interface RequestTurns {
  /** Calls `begin` in the turn of the request: at once if its party is alone. */
  readonly enter: (party: string, begin: () => void) => EndTurn
  /** How many parties are remembered: those that have sent something lately or wait, and some more. */
  readonly known: () => number
}

/** Whether a request may have caused something that goes on once it has ended. Without a status it was given up. */
export const mayCause = (method: string, status: number | undefined): boolean =>
  status !== undefined && status < 400 && !["GET", "HEAD", "OPTIONS"].includes(method)

interface Party {
  readonly name: string
  /** In the order in which they came. */
  readonly waiting: Set<Waiting>
  /** When the latest came: one more than `underWay` of them, the latest last. */
  readonly cameAt: Array<number>
  /** Of which the next two are. */
  slice: number
  /** Requests that began in this slice and have not ended. */
  running: number
  /** Requests that began in this slice. */
  begun: number
}

/** Begins a request. Its party has sent few, or many. */
type Waiting = (isOfFew: boolean) => void

/** Makes the turns of a server. */
export const make = (limits: PartyLimits, { now, after, soon }: TurnClock): RequestTurns => {
  const { underWay, sliceMs, companyMs } = limits
  const lately = limits.quietMs + limits.restMs
  /** Those that have sent something lately, or have requests waiting; who sent last is last. */
  const parties = new Map<string, Party>()
  /** Those that have requests waiting. */
  const crowded = new Set<Party>()
  let latest = { name: "", at: Number.NEGATIVE_INFINITY }
  /** The latest of the other parties. */
  let company = { ...latest }
  const quiet = quietOf(limits)
  let isTicking = false
  let isCalled = false

  const note = (name: string, at: number) => {
    if (latest.name === name) latest.at = at
    else {
      company = latest
      latest = { name, at }
    }
  }

  const hasCompany = (at: number) => at - company.at < companyMs

  /** One comes, and two that came before are forgotten: so no more are known than have sent lately, or wait. */
  const forgetSome = (at: number) => {
    let left = 2
    for (const party of parties.values()) {
      if (left-- === 0 || at - party.cameAt.at(-1)! < lately) return
      parties.delete(party.name)
      if (party.waiting.size > 0) parties.set(party.name, party)
    }
  }

  const partyOf = (name: string, at: number): Party => {
    const party = parties.get(name) ?? { name, waiting: new Set(), cameAt: [], slice: 0, running: 0, begun: 0 }
    parties.delete(name)
    parties.set(name, party)
    party.cameAt.push(at)
    if (party.cameAt.length > underWay + 1) party.cameAt.shift()
    forgetSome(at)
    return party
  }

  const hasSentFew = ({ cameAt, waiting }: Party, at: number) =>
    waiting.size <= underWay && (cameAt.length <= underWay || at - cameAt[0]! >= lately)

  const beginSome = (party: Party, places: number, isOfFew: boolean) => {
    let left = places
    for (const begin of party.waiting) {
      if (left-- <= 0) break
      party.waiting.delete(begin)
      begin(isOfFew)
    }
    if (party.waiting.size === 0) crowded.delete(party)
  }

  const renew = (party: Party, at: number) => {
    const slice = Math.floor(at / sliceMs)
    if (party.slice === slice) return
    party.slice = slice
    party.running = 0
    party.begun = 0
  }

  /** What may begin by now. Between two calls the server reads what has come. */
  const call = () => {
    isCalled = false
    const at = now()
    const isAlone = !hasCompany(at)
    const pressing: Array<Party> = []
    for (const party of [...crowded]) {
      renew(party, at)
      if (isAlone) beginSome(party, Number.POSITIVE_INFINITY, false)
      else if (hasSentFew(party, at)) beginSome(party, underWay, true)
      else pressing.push(party)
    }
    const isQuiet = quiet.isAt(at)
    for (const party of pressing) beginSome(party, underWay - (isQuiet ? party.begun : party.running), false)
  }

  const callSoon = () => {
    if (isCalled || crowded.size === 0) return
    isCalled = true
    soon(call)
  }

  /** At the end of every slice, and of quiet, while any wait. */
  const tick = () => {
    isTicking = crowded.size > 0
    if (!isTicking) return
    const at = now()
    after(Math.min(sliceMs - (at % sliceMs), quiet.left(at)), tick)
    callSoon()
  }

  const enter = (name: string, serve: () => void): EndTurn => {
    const at = now()
    note(name, at)
    const party = partyOf(name, at)
    let slice: number | undefined
    let ended = false
    const begin = (isOfFew: boolean) => {
      slice = party.slice
      party.running++
      party.begun++
      if (isOfFew) quiet.begin(begin, now())
      serve()
    }
    if (party.waiting.size === 0 && !hasCompany(at)) {
      renew(party, at)
      begin(false)
    } else {
      party.waiting.add(begin)
      crowded.add(party)
      callSoon()
      if (!isTicking) tick()
    }
    return (mayCause) => {
      if (ended) return
      ended = true
      if (!mayCause) quiet.end(begin, now())
      if (slice === undefined) party.waiting.delete(begin)
      else if (slice === party.slice) party.running--
      if (party.waiting.size === 0) crowded.delete(party)
      callSoon()
    }
  }

  return { enter, known: () => parties.size }
}

/** When the others are to be quiet, for requests whose parties have sent few. */
const quietOf = ({ quietMs, restMs }: PartyLimits) => {
  /** Requests that are under way, or may have caused something, and when they began: the earliest first. */
  const causes = new Map<object, number>()
  let latestAt = Number.NEGATIVE_INFINITY
  let since = Number.NEGATIVE_INFINITY
  /** When a time of quiet may begin again. */
  let nextAt = Number.NEGATIVE_INFINITY

  const isAt = (at: number): boolean => {
    for (const [cause, begunAt] of causes) {
      if (at - begunAt < quietMs) break
      causes.delete(cause)
    }
    if (causes.size === 0) return false
    if (at >= nextAt) [since, nextAt] = [at, at + quietMs + restMs]
    return at - since < quietMs
  }

  return {
    begin: (cause: object, at: number) => {
      causes.set(cause, at)
      latestAt = at
    },
    /** A request has caused nothing, and ended. The rest that follows is as long as the quiet was, in proportion. */
    end: (cause: object, at: number) => {
      if (!causes.delete(cause) || causes.size > 0 || at - since >= quietMs) return
      nextAt = at + ((at - since) * restMs) / quietMs
      since = Number.NEGATIVE_INFINITY
    },
    isAt,
    /** How long it is quiet for yet, at most. */
    left: (at: number) => (isAt(at) ? Math.min(since, latestAt) + quietMs - at : Number.POSITIVE_INFINITY)
  }
}
