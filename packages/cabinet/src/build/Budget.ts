/** How much a browser loads for the login and for each screen, compressed, and how much that may be. Pure. */

/** A file of the build that a page may load. */
export interface Piece {
  readonly name: string
  /** What it is made of, if it is one of the screens or the entry; else null. */
  readonly module: string | null
  /** Bytes, compressed with gzip. */
  readonly size: number
  /** Names of the pieces that are always loaded with it. */
  readonly imports: ReadonlyArray<string>
}

/** Files that import each other in a circle, of which one runs before what it needs is there; null: there is none. */
export const circleIn = (pieces: ReadonlyArray<Piece>): ReadonlyArray<string> | null => {
  const byName = new Map(pieces.map((piece) => [piece.name, piece]))
  const done = new Set<string>()
  const walk = (name: string, way: ReadonlyArray<string>): ReadonlyArray<string> | null => {
    if (way.includes(name)) return way.slice(way.indexOf(name))
    if (done.has(name)) return null
    for (const next of byName.get(name)?.imports ?? []) {
      const found = walk(next, [...way, name])
      if (found !== null) return found
    }
    done.add(name)
    return null
  }
  for (const { name } of pieces) {
    const found = walk(name, [])
    if (found !== null) return found
  }
  return null
}

/** What one view loads. */
export interface View {
  readonly name: string
  readonly size: number
  readonly most: number
}

const kilobyte = 1024
const loginMost = 100 * kilobyte
const screenMost = 190 * kilobyte

/** The login and every screen with what each loads: entry, words in the longest language, and what it imports. */
export const viewsOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<View> => {
  const byName = new Map(pieces.map((piece) => [piece.name, piece]))
  const all = (roots: ReadonlyArray<Piece>): number => {
    const found = new Set<Piece>()
    const add = (piece: Piece | undefined): void => {
      if (piece === undefined || found.has(piece)) return
      found.add(piece)
      for (const name of piece.imports) add(byName.get(name))
    }
    roots.forEach(add)
    return [...found].reduce((sum, { size }) => sum + size, 0)
  }
  const made = (pattern: RegExp) => pieces.filter(({ module }) => module !== null && pattern.test(module))
  const longest = (pattern: RegExp) =>
    made(pattern)
      .toSorted((a, b) => b.size - a.size)
      .slice(0, 1)
  const first = [...made(/\/index\.html$/), ...longest(wordsNamed(""))]
  const shell = [...first, ...made(/\/app\/App\.tsx$/), ...longest(wordsNamed("Work"))]
  const screens = made(/\/screens\/.*\.tsx$/)
  return [
    { name: "login", size: all(first), most: loginMost },
    { name: "shell", size: all(shell), most: screenMost },
    ...screens.map((screen) => ({
      name: screen.module?.replace(/.*\/screens\//, "") ?? screen.name,
      size: all([...shell, screen, ...longest(wordsOf(screen.module ?? ""))]),
      most: screenMost
    }))
  ]
}

/** Files of words, one of each language. */
const wordsNamed = (name: string): RegExp => new RegExp(`/texts/(Kazakh|Russian|English)${name}\\.ts$`)

/** The words that only this screen has, which are named after it or its folder. */
const wordsOf = (module: string): RegExp => {
  const [, first = "", rest = ""] = /\/screens\/(\w)(\w*)/.exec(module) ?? []
  return wordsNamed(`${first.toUpperCase()}${rest}`)
}

/** A line for each view, and whether all keep to their bounds. */
export const report = (
  views: ReadonlyArray<View>
): { readonly lines: ReadonlyArray<string>; readonly fits: boolean } => ({
  lines: views.map(({ name, size, most }) => {
    const [has, may] = [size, most].map((bytes) => `${(bytes / kilobyte).toFixed(1)} KB`)
    return `${size > most ? "too large" : "ok"}  ${name}: ${has} of ${may}`
  }),
  fits: views.every(({ size, most }) => size <= most)
})
