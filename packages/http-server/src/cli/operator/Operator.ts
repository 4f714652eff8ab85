/** `tolem operator …`: what those who run the platform do. */
import { hostname, userInfo } from "node:os"
import type { Actor } from "@tolem/core/audit/Audit"
import { group } from "../kit/Commands.ts"
import { access } from "./AccessCommands.ts"
import { account } from "./AccountCommands.ts"
import { audit } from "./AuditCommand.ts"
import { health } from "./HealthCommand.ts"
import { letters } from "./LettersCommand.ts"
import { member } from "./MemberCommands.ts"
import { organizationCommand } from "./OrganizationCommands.ts"
import { earnings, operatorTariffCommand } from "./TariffCommands.ts"
import { work } from "./WorkCommand.ts"

/** Who acts at this command line, for the audit log. */
export const actor = (): Actor => ({ kind: "operator", id: userName(), origin: hostname() })

// A user without an entry in the system's list has no name, as in some containers.
const userName = (): string | null => {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

/** Everything of the operator's. Each deed leaves a record in the audit log. */
export const operator = group(
  "operator",
  "Run the platform: health, work, its console, accounts, organizations, tariffs, earnings, letters, the audit log",
  [health, work, access, account, organizationCommand, member, operatorTariffCommand, earnings, letters, audit]
)
