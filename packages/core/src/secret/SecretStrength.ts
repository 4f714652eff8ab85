/** Whether a text can be a key: one that a person has made up is tried sooner or later. Pure. */

/** Fewer characters are fewer than 128 random bits, whatever the alphabet. */
const minLength = 32

/** 32 random digits of base 16 have fewer different ones once in ten million times. */
const minDistinct = 8

/** Of the steps from character to character: random texts have a fifth of such steps. */
const maxShareOfSmallSteps = 2 / 3

/** How a good one is made, for messages. */
const recipe = "make one with: openssl rand -base64 32"

/** What is wrong with a key, or nothing. The text is not repeated. */
export const weaknessOf = (text: string): string | undefined => {
  if (text.length < minLength) return `each key must have at least ${minLength} characters; ${recipe}`
  if (new Set(text).size < minDistinct || isRepetition(text) || isSequence(text)) {
    return `a key that repeats itself or counts up can be guessed; ${recipe}`
  }
  return undefined
}

// The last repetition may be cut off.
const isRepetition = (text: string): boolean => {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.slice(length) === text.slice(0, -length)) return true
  }
  return false
}

const isSequence = (text: string): boolean => {
  let small = 0
  for (let i = 1; i < text.length; i++) if (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) <= 1) small++
  return small > maxShareOfSmallSteps * (text.length - 1)
}
