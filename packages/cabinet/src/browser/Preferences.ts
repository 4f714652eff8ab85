/**
 * What a person prefers on this device. Nothing else is kept in the browser: sessions are cookies that no script
 * sees.
 */

/** Preferences; what is absent was never chosen. */
export interface Preferences {
  readonly language?: "kk" | "ru" | "en"
  readonly theme?: "light" | "dark"
  /** The organization that was looked at last. */
  readonly organization?: string
  /** The cashier that was charged with last, of each organization. */
  readonly cashiers?: Readonly<Record<string, string>>
  /** Whether payments are not to be heard. */
  readonly silent?: boolean
  /** Whether a session was opened here and not ended, so that a stranger's first visit asks for none. */
  readonly returns?: boolean
}

const name = "tolem"

/** The preferences of this device; none where the browser keeps nothing. */
export const preferences = (): Preferences => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? "{}")
    return typeof kept === "object" && kept !== null ? kept : {}
  } catch {
    return {}
  }
}

type Changes = { readonly [Name in keyof Preferences]: Preferences[Name] | undefined }

/** Changes some of them; `undefined` forgets one. */
export const prefer = (changes: Partial<Changes>): void => {
  try {
    localStorage.setItem(name, JSON.stringify({ ...preferences(), ...changes }))
  } catch {
    // A browser that keeps nothing asks again at the next visit.
  }
}
