/** Writes the library reference from the sources. With `--check` fails if it differs. */
import { settle } from "./lib/Documents.ts"
import { reference } from "./lib/Reference.ts"

settle(reference())
