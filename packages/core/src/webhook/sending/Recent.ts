/** What is remembered of parties and endpoints, of those that were spoken of last. */

/** More names than a server has under way; of what is forgotten nothing is known. */
const maxNames = 10_000

/** Keeps what was said last of a name. */
export const remember = <A>(said: Map<string, A>, name: string, what: A): void => {
  said.delete(name)
  said.set(name, what)
  const oldest = said.size > maxNames ? said.keys().next().value : undefined
  if (oldest !== undefined) said.delete(oldest)
}

/** In which order endpoints and parties were served last: an old backlog is no reason to go first again. */
export const makeServed = () => {
  const turns = new Map<string, number>()
  let turn = 0
  return {
    at: (name: string): number => turns.get(name) ?? 0,
    note: (name: string): void => remember(turns, name, ++turn)
  }
}

/**
 * In which order jobs begin: those of parties that were served longest ago go first, one of each party at a time.
 * What begins is noted in `served`, by the party.
 */
export const makeStartOrder = <A extends object>(
  partyOf: (job: A) => string,
  served: ReturnType<typeof makeServed>
) => {
  /** When the party of a job that begins was served before it. */
  const servedBefore = new WeakMap<A, number>()
  return {
    /** A job has its place. */
    begins: (job: A): void => {
      const party = partyOf(job)
      servedBefore.set(job, served.at(party))
      served.note(party)
    },
    /** The first ones, of different parties. At their head is one that `mayLead`, if there is any. */
    first: (jobs: Iterable<A>, count: number, mayLead: (job: A) => boolean): ReadonlyArray<A> => {
      const left = Map.groupBy(jobs, partyOf)
      const take = (may: (job: A) => boolean): A | undefined => {
        let [found, since]: [A | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
        for (const own of left.values()) {
          for (const job of own) {
            const at = servedBefore.get(job) ?? 0
            if (at < since && may(job)) [found, since] = [job, at]
          }
        }
        if (found !== undefined) left.delete(partyOf(found))
        return found
      }
      const chosen: Array<A> = []
      while (chosen.length < count) {
        const next = (chosen.length === 0 ? take(mayLead) : undefined) ?? take(() => true)
        if (next === undefined) break
        chosen.push(next)
      }
      return chosen
    }
  }
}
