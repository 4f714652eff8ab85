/**
 * Shades of a merchant's colour that can be read (WCAG AA), whatever the colour is: by day and by night. They keep its
 * hue; what would be too pale or too dark is moved towards black or white as far as it takes. Pure.
 */

/** Colours as `#rrggbb`. */
export interface Shades {
  /** Of words and signs on cards, and on `soft`. */
  readonly accent: string
  /** Behind words of `accent`. */
  readonly soft: string
  /** Of buttons: the merchant's own colour where it can be. */
  readonly button: string
  /** Of the words on them. */
  readonly onButton: string
  /** The light on the ground of a page. */
  readonly glow: string
}

/** What the shades are read on: the colours of the pages. */
export interface Surroundings {
  readonly card: string
  readonly ground: string
  /** Of the least words that stand on the ground. */
  readonly quiet: string
}

/** The pages by day and by night. A test holds them against the style sheet. */
export const surroundings: { readonly light: Surroundings; readonly dark: Surroundings } = {
  light: { card: "#ffffff", ground: "#e9f0f1", quiet: "#52676c" },
  dark: { card: "#111e22", ground: "#091215", quiet: "#9db1b6" }
}

/** What words need, and a little more: buttons are brighter under a pointer. */
const readable = 4.8
/** A button is seen as one. */
const visible = 1.5

/** The shades of `colour`, `#rrggbb`, by day or by night. */
export const shadesOf = (colour: string, time: "light" | "dark"): Shades => {
  const { card, ground, quiet } = surroundings[time]
  const own = rgbOf(colour)
  const away = time === "light" ? black : white
  const soft = mix(rgbOf(card), own, time === "light" ? 0.1 : 0.2)
  const accent = until(own, away, (shade) =>
    [soft, rgbOf(card), rgbOf(ground)].every((behind) => contrast(shade, behind) >= readable)
  )
  const seen = until(own, away, (shade) => contrast(shade, rgbOf(card)) >= visible)
  const button = isBright(seen) ? seen : until(seen, black, (shade) => contrast(shade, white) >= 5.2)
  const glow = until(mix(rgbOf(ground), own, 0.14), rgbOf(ground), (shade) => contrast(rgbOf(quiet), shade) >= 4.5)
  return {
    accent: hex(accent),
    soft: hex(soft),
    button: hex(button),
    onButton: hex(isBright(button) ? black : white),
    glow: hex(glow)
  }
}

/** How well one colour is read on another: 1 to 21, as WCAG counts it. */
export const contrastOf = (one: string, other: string): number => contrast(rgbOf(one), rgbOf(other))

type Rgb = readonly [red: number, green: number, blue: number]

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

const rgbOf = (colour: string): Rgb => {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

const hex = (colour: Rgb): string => `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [part(0), part(1), part(2)]
}

/** The first shade on the way that is good; the end of the way if none is. */
const until = (from: Rgb, to: Rgb, isGood: (shade: Rgb) => boolean): Rgb => {
  for (let step = 0; step < steps; step++) {
    const shade = mix(from, to, step / steps)
    if (isGood(shade)) return shade
  }
  return to
}

const steps = 64

/** Black words are read on it, and better than white ones. */
const isBright = (colour: Rgb): boolean => contrast(colour, black) >= readable

const contrast = (one: Rgb, other: Rgb): number => {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
