/** Says which Node is needed before an older one fails in the middle of a library. Imports nothing. */

const needed = [22, 19] as const

/** What is wrong with this version of Node, as `20.20.2`; undefined if it will do. */
export const wrongNode = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isOld = major < needed[0] || (major === needed[0] && minor < needed[1])
  return isOld ? `Tölem needs Node ${needed.join(".")} or newer; this is Node ${version}.` : undefined
}

/** Throws what is wrong with this version of Node, as `20.20.2`. No stack hides the sentence from those who read it. */
export const refuseOldNode = (version: string): void => {
  const wrong = wrongNode(version)
  if (wrong === undefined) return
  const error = new Error(wrong)
  error.stack = `${error.name}: ${wrong}`
  throw error
}
