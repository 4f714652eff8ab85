/**
 * Looks before and after each statement of the process, for as long as that is wanted: SQLite tells of no COMMIT. The
 * methods are wrapped where all connections and statements have them, so that those prepared long ago are seen too.
 */
import { DatabaseSync, StatementSync } from "./NodeSqlite.ts"

/** Takes the wrapper away, unless others have put theirs around it since. */
type Unwrap = () => boolean

/** A method, and what leaves it as it was found. */
interface Wrapped {
  readonly surface: object
  readonly name: string
  readonly unwrap: Unwrap
}

/** What statements are run by. A store of tags runs its own past them, and each has methods of its own. */
const watched: ReadonlyArray<readonly [object, string]> = [
  [DatabaseSync.prototype, "exec"],
  [DatabaseSync.prototype, "close"],
  ...["run", "get", "all", "iterate"].map((name) => [StatementSync.prototype, name] as const)
]

const wrap = (surface: object, name: string, look: () => void): Unwrap => {
  const found = Object.getOwnPropertyDescriptor(surface, name)!
  const value = function (this: unknown, ...args: ReadonlyArray<unknown>): unknown {
    look()
    try {
      return Reflect.apply(found.value, this, args)
    } finally {
      look()
    }
  }
  Object.defineProperty(surface, name, { ...found, value })
  return () => {
    const isOnTop = Reflect.get(surface, name) === value
    if (isOnTop) Object.defineProperty(surface, name, found)
    return isOnTop
  }
}

/** A watch that is off. What is wrapped is wrapped once, however often it is switched. */
export const make = (look: () => void) => {
  let wrapped: ReadonlyArray<Wrapped> = []
  let isOn = false
  const isWrapped = (surface: object, name: string) =>
    wrapped.some((each) => each.surface === surface && each.name === name)
  return {
    /** Looks from now on. */
    on: (): void => {
      if (isOn) return
      isOn = true
      const missing = watched.filter(([surface, name]) => !isWrapped(surface, name))
      wrapped = [
        ...wrapped,
        ...missing.map(([surface, name]) => ({ surface, name, unwrap: wrap(surface, name, look) }))
      ]
    },
    /** Leaves everything as it was. A wrapper beneath another's stays, and is used again. */
    off: (): void => {
      if (!isOn) return
      isOn = false
      wrapped = wrapped.filter(({ unwrap }) => !unwrap())
    }
  }
}
