/** One row of the error catalogue. */

/** What an error code means: its HTTP status, whether the same request may be sent again later, and its texts. */
export interface CatalogEntry {
  readonly status: number
  readonly retryable: boolean
  readonly kk: string
  readonly ru: string
  readonly en: string
}

/** A row whose request has to be changed, or whose cause has to go, before it is sent again. */
export const final = (status: number, kk: string, ru: string, en: string): CatalogEntry => ({
  status,
  retryable: false,
  kk,
  ru,
  en
})

/** A row whose request may be sent again later as it is. */
export const temporary = (status: number, kk: string, ru: string, en: string): CatalogEntry => ({
  status,
  retryable: true,
  kk,
  ru,
  en
})
