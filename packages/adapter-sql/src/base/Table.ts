/** A table of the core's values: each column is named once, with its type and with how a member becomes it and back. */
import { type Columns, rowOf, type Stored } from "./Columns.ts"
import { Unreadable } from "./ReadableRows.ts"
import type { Tables } from "./Tables.ts"

/** How a member is kept: as it is, unless `encode` and `decode` say otherwise. */
export interface Column<A> {
  readonly type: "text" | "bigint"
  /** Where it is not the member's name in snake case. */
  readonly name?: string
  /** It is written once: no change alters it. */
  readonly once?: true
  /** All that it may be. */
  readonly words?: ReadonlyArray<A>
  /** Whether a JSON value is one of its own. */
  readonly holds?: (json: unknown) => boolean
  readonly encode?: (value: A) => Stored
  readonly decode?: (stored: never, row: never) => A
}

/** A column that no member is read from. */
interface Derived<W> {
  readonly type: "text" | "bigint"
  readonly once?: true
  readonly words?: ReadonlyArray<Stored>
  /** What is written; null: the database's default. */
  readonly of: ((value: W) => Stored) | null
}

type Type<A> = [A] extends [string | null] ? "text" : [A] extends [number | null] ? "bigint" : never
type Single<A> = Type<A> | Column<A>
// The members of a member that stands in several columns have its name in front.
type Several<A> = A extends object ? { readonly [K in keyof A]: Single<A[K]> } : never
type Members<V> = { readonly [K in keyof V]: Single<V[K]> | Several<V[K]> }

type Snake<K> = K extends `${infer H}${infer T}` ? `${H extends Lowercase<H> ? H : `_${Lowercase<H>}`}${Snake<T>}` : ""
type NameOf<K, C> = C extends { readonly name: infer N extends string } ? N : Snake<K>
type StoredOf<A, C> = C extends { readonly encode: (value: never) => infer S } ? S : A
type IsSingle<C> = C extends string | { readonly type: string } ? true : false
type Singles<V, M> = {
  readonly [K in keyof V & keyof M as IsSingle<M[K]> extends true ? NameOf<K, M[K]> : never]: StoredOf<V[K], M[K]>
}
type Severals<V, M> = {
  readonly [K in keyof V & keyof M as IsSingle<M[K]> extends true ? never : K]: {
    readonly [J in keyof V[K] & keyof M[K] as NameOf<`${K & string}_${J & string}`, M[K][J]>]: StoredOf<
      V[K][J],
      M[K][J]
    >
  }
}
type All<U> = [U] extends [never]
  ? unknown
  : (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
    ? I
    : never
type Deriveds<D> = {
  readonly [K in keyof D]: D[K] extends { readonly of: (value: never) => infer S } ? S : number
}

/** A table, and what its rows are to the core. `W`: what is written, where that is more than what is read. */
export interface Table<V, W, R> {
  readonly name: keyof Tables
  /** The columns that are written, in the order of batches. */
  readonly columns: Columns
  /** Those of them that a change may alter. */
  readonly changing: Columns
  /** What is written, in the order of the columns. */
  readonly values: (value: W) => Array<Stored>
  /** The same as a row. */
  readonly encode: (value: W) => R
  readonly decode: (row: R) => V
  /**
   * Throws `Unreadable` where a column of a row, as `Dialect.exact` reads it, is of another type than its own, a number
   * that is not exact, another word than its own, or broken JSON.
   */
  readonly check: (row: object) => undefined
  /** The value of a row that `Dialect.exact` reads. Throws if a column cannot be read. */
  readonly read: (row: R) => V
}

/** A row of a table, as the database answers it. */
export type RowOf<T> = T extends { readonly decode: (row: infer R) => unknown } ? R : never

/** A column that is written once. */
export const once = <const C extends "text" | "bigint" | ReturnType<typeof oneOf>>(
  column: C
): (C extends string ? { readonly type: C } : C) & { readonly once: true } =>
  ({ ...(typeof column === "string" ? { type: column } : column), once: true }) as never

/** A text that is one of some words. */
export const oneOf = <const A extends string | null>(words: ReadonlyArray<A>) => ({ type: "text", words }) as const

/** Yes or no, as 1 or 0. */
export const flag = {
  type: "bigint",
  encode: (value: boolean): number => (value ? 1 : 0),
  decode: (stored: number): boolean => stored === 1
} as const

/** A value as JSON. */
export const json = <A>(holds: (json: unknown) => boolean) =>
  ({
    type: "text",
    holds,
    encode: (value: A): string => JSON.stringify(value),
    decode: (stored: string): A => JSON.parse(stored)
  }) as const

/** A table of values of the type `V`: how each member is kept, and the columns beside them. */
export const table =
  <V extends object, W extends V = V>(name: keyof Tables) =>
  <const M extends Members<V>, const D extends Readonly<Record<string, Derived<W>>> = Record<never, never>>(
    members: M,
    derived?: D
  ): Table<V, W, Singles<V, M> & All<Severals<V, M>[keyof Severals<V, M>]> & Deriveds<D>> => {
    const all = [...placesOf(members), ...derivedPlaces(derived ?? {})]
    const written = all.filter(({ isWritten }) => isWritten)
    const columnsOf = (places: ReadonlyArray<Place>) => Object.fromEntries(places.map((each) => [each.name, each.type]))
    const columns = columnsOf(written)
    const toRow = rowOf(columns)
    const blank = rowOf(members as Columns)([])
    const groups = [...new Set(all.flatMap(({ group }) => group ?? []))]
    const values = (value: W) => {
      const stored = new Array<Stored>(written.length)
      for (let index = 0; index < written.length; index++) stored[index] = written[index]!.encode(value as Values)
      return stored
    }
    const encode = (value: W) => toRow(values(value)) as never
    const decode = (row: object) => {
      const value: Values = { ...blank }
      for (const group of groups) value[group] = {}
      for (const { member, group, name, decode } of all) {
        if (member === null) continue
        const stored = (row as Values)[name] as never
        const part = group === null ? value : (value[group] as Values)
        part[member] = decode === undefined ? stored : decode(stored, row as never)
      }
      return value as V
    }
    const check = (row: object): undefined => {
      for (const place of all) checkPlace(place, (row as Values)[place.name])
    }
    const read = (row: object) => {
      check(row)
      return decode(row)
    }
    const changing = columnsOf(written.filter(({ once }) => once !== true))
    return { name, columns, changing, values, encode, decode, check, read }
  }

type Values = Record<string, unknown>

/** A column with the member that it is read from; `group`: of which member that is one. */
interface Place extends Omit<Column<unknown>, "encode"> {
  readonly name: string
  readonly member: string | null
  readonly group: string | null
  readonly isWritten: boolean
  readonly encode: (value: Values) => Stored
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const placesOf = (members: object, group: string | null = null): ReadonlyArray<Place> =>
  Object.entries(members).flatMap(([member, column]): ReadonlyArray<Place> => {
    if (typeof column === "object" && column.type === undefined) return placesOf(column, member)
    const { encode, ...rest }: Column<unknown> = typeof column === "string" ? { type: column } : column
    const own = group === null ? (value: Values) => value[member] : (value: Values) => (value[group] as Values)[member]
    const name = rest.name ?? snake(group === null ? member : `${group}_${member}`)
    const stored = encode === undefined ? (own as Place["encode"]) : (value: Values) => encode(own(value))
    return [{ ...rest, name, member, group, isWritten: true, encode: stored }]
  })

const derivedPlaces = (derived: Readonly<Record<string, Derived<never>>>): ReadonlyArray<Place> =>
  Object.entries(derived).map(([name, { of, ...rest }]) => {
    const encode = (of ?? (() => null)) as Place["encode"]
    return { ...rest, name, member: null, group: null, isWritten: of !== null, encode }
  })

const checkPlace = ({ name, type, words, holds }: Place, value: unknown): undefined => {
  if (value === null || value === undefined) return
  const isRight = type === "text" ? typeof value === "string" : Number.isSafeInteger(value)
  if (!isRight || words?.includes(value) === false) throw new Unreadable(name)
  if (holds?.(parsed(name, value as string)) === false) throw new Unreadable(name)
}

const parsed = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable(name)
  }
}
