/** Series of one metric: one for each combination of its labels' values, made when it is first needed and kept. */

/**
 * Answers the series with these labels. Made for what is counted often: a series that is known costs one look-up. Give
 * it only values of a fixed, small set (a status, a verb, a code), never an id or what strangers write: each
 * combination is kept for the life of the process.
 */
export const family = <const Label extends string, Metric>(
  labels: ReadonlyArray<Label>,
  make: (values: Readonly<Record<Label, string>>) => Metric
): ((values: Readonly<Record<Label, string>>) => Metric) => {
  const known = new Map<string, Metric>()
  return (values) => {
    let key = ""
    for (const label of labels) key += `${values[label]}\n`
    let series = known.get(key)
    if (series === undefined) {
      series = make(values)
      known.set(key, series)
    }
    return series
  }
}

/** Upper bounds of buckets of durations, seconds: from what memory answers to what callers give up. */
export const durationBounds: ReadonlyArray<number> = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
]
