/** Lines of the log that stay on this machine. */
import { Context } from "effect"

/** Whether what is logged is for those at this machine only, as a login code is: it is never sent anywhere. */
export const IsLocal = Context.Reference<boolean>("@tolem/http-server/IsLocal", { defaultValue: () => false })
