/** Words of the contract in another language: what the reference says is written in English first. */

const number = /\d+/g

/** The text in the language of the page. */
export type Terms = (english: string) => string

/**
 * English stays; `dictionary` has the texts of another language, with `#` for numbers that settings may change. What it
 * lacks is told to `missing`, and stays.
 */
export const termsOf =
  (dictionary: Readonly<Record<string, string>> | undefined, missing: (english: string) => void = () => {}): Terms =>
  (english) => {
    if (dictionary === undefined || english === "") return english
    const found = dictionary[english]
    if (found !== undefined) return found
    const open = dictionary[english.replaceAll(number, "#")]
    if (open === undefined) missing(english)
    const numbers = english.match(number) ?? []
    return open?.replaceAll("#", () => numbers.shift() ?? "#") ?? english
  }
