/** Whatever colour a merchant has, what stands in it can be read. */

import { describe, expect, it } from "vitest"
import { contrastOf, shadesOf, surroundings } from "../../src/face/Shades.ts"

const aa = 4.5
const hexOf = (value: number) => `#${value.toString(16).padStart(6, "0")}`

/** The pairs of words and grounds that pages and letters have. */
const unreadable = (colour: string, time: "light" | "dark"): ReadonlyArray<string> => {
  const { accent, soft, button, onButton, glow } = shadesOf(colour, time)
  const { card, ground, quiet } = surroundings[time]
  const pairs: ReadonlyArray<readonly [string, string, string, number]> = [
    ["words on a card", accent, card, aa],
    ["words on the ground", accent, ground, aa],
    ["words on soft", accent, soft, aa],
    ["words on a button", onButton, button, aa],
    ["a button on a card", button, card, 1.4],
    ["quiet words on the glow", quiet, glow, aa]
  ]
  return pairs.flatMap(([what, one, other, least]) =>
    contrastOf(one, other) >= least ? [] : [`${colour} by ${time}: ${what} ${contrastOf(one, other).toFixed(2)}`]
  )
}

describe("shades", () => {
  it("are read by day and by night, in a grid through all colours", () => {
    const parts = [0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255]
    const found = parts.flatMap((red) =>
      parts.flatMap((green) =>
        parts.flatMap((blue) => {
          const colour = hexOf(red * 65536 + green * 256 + blue)
          return [...unreadable(colour, "light"), ...unreadable(colour, "dark")]
        })
      )
    )
    expect(found.slice(0, 10)).toEqual([])
  })

  it("are read in colours off the grid", () => {
    // A prime stride meets every value of every channel.
    const found = Array.from({ length: Math.floor(2 ** 24 / 1511) }, (_, index) => hexOf(index * 1511))
    expect(found.flatMap((colour) => [...unreadable(colour, "light"), ...unreadable(colour, "dark")])).toEqual([])
  })

  it("keep the merchant's own colour on buttons where it can be read", () => {
    expect(shadesOf("#d0021b", "light")).toMatchObject({ button: "#d0021b", onButton: "#ffffff" })
    expect(shadesOf("#ffd400", "light")).toMatchObject({ button: "#f7cd00", onButton: "#000000" })
    expect(contrastOf("#000000", "#ffffff")).toBe(21)
  })
})
