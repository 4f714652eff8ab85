/**
 * Memory of a process that starts. Most of what it makes then stays, and V8 doubles the room for what is young over
 * that, again and again, and keeps it: some 25 MB of a server that has nothing to do.
 */
import { setFlagsFromString } from "node:v8"

const growBy = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** Keeps the room for what is young as it is, while the process starts. */
export const hold = (): void => growBy(1)

/** Lets it grow with the work from here on, as V8 usually does. */
export const release = (): void => growBy(2)
