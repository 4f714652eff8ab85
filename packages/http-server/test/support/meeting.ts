/** Makes two requests meet. */

/** A place that the first to come leaves once a second has come. */
export const pair = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let came = 0
  return () => {
    if (++came === 2) resolve()
    return promise
  }
}
