/** The two worlds of an organization; nothing crosses from one to the other. */
import { Schema } from "effect"

/** `sandbox`: no provider is called and no money moves. `live`: a real provider. */
export const Mode = Schema.Literals(["sandbox", "live"])
/** See the schema of the same name. */
export type Mode = typeof Mode.Type
