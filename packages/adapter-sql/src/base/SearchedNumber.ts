/** What of a search is worth asking an index of parts of texts for. Pure. */

const shortest = 6
const digits = 3

/**
 * The longest word of the text with several digits, as the number of an order: its parts are in few texts, while words
 * and what stands before numbers are in many. Null: there is none, or it is the whole text.
 */
export const numberIn = (text: string): string | null => {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  const numbers = words.filter((word) => word.length >= shortest && (word.match(/\d/g)?.length ?? 0) >= digits)
  const [longest] = numbers.toSorted((a, b) => b.length - a.length)
  return longest === undefined || longest === text ? null : longest
}
