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
