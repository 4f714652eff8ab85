/** Rows of the error catalogue. */

/** What an error code means: its HTTP status, whether the same request may be sent again later, and its texts. */
export interface CatalogEntry {
  readonly status: number
  readonly retryable: boolean
  readonly kk: string
  readonly ru: string
  readonly en: string
}

type Texts = readonly [kk: string, ru: string, en: string]

const rows =
  (retryable: boolean) =>
  <Code extends string>(status: number, texts: Readonly<Record<Code, Texts>>) =>
    Object.fromEntries(
      Object.entries<Texts>(texts).map(([code, [kk, ru, en]]) => [code, { status, retryable, kk, ru, en }])
    ) as Readonly<Record<Code, CatalogEntry>>

/** Rows of this status whose requests have to be changed, or whose causes have to go, before they are sent again. */
export const final = rows(false)

/** Rows of this status whose requests may be sent again later as they are. */
export const temporary = rows(true)
