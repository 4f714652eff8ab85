/** Devices by what their browsers say of themselves. Pure. */

const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/YaBrowser\//, "Yandex Browser"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/OPR\/|Opera/, "Opera"],
  [/Edg(?:A|iOS)?\//, "Edge"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"]
]

/** `Chrome, Android`; the beginning of what it says if that is of neither kind, null if it says nothing. */
export const deviceOf = (userAgent: string | null): string | null => {
  if (userAgent === null || userAgent.trim() === "") return null
  const find = (among: typeof browsers) => among.find(([pattern]) => pattern.test(userAgent))?.[1]
  const known = [find(browsers), find(systems)].filter((name) => name !== undefined)
  return known.length === 0 ? userAgent.slice(0, 40) : known.join(", ")
}

/** Whether it is one to hold in a hand. */
export const isHandheld = (userAgent: string | null): boolean => /iPhone|iPad|Android/.test(userAgent ?? "")
