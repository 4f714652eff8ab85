/** `tolem operator org …` */
import { Engine } from "@tolem/core/engine/Engine"
import type { Organization, OwnedOrganization } from "@tolem/core/merchant/Merchant"
import { toIso } from "@tolem/core/value/Calendar"
import { changingCommand, group, organizationNotFound, readingCommand } from "../kit/Commands.ts"
import * as Lists from "./Lists.ts"

const organizationJson = ({ organization, ownerStatus }: OwnedOrganization) => {
  const { createdAt, tariffUntil, ...rest } = organization
  return {
    ...rest,
    tariffUntil: tariffUntil === null ? null : toIso(tariffUntil),
    ownerStatus,
    createdAt: toIso(createdAt)
  }
}

const lineOf = ({ organization, ownerStatus }: OwnedOrganization): string => {
  const { id, name, mode, status, tariff, tariffUntil } = organization
  const until = tariffUntil === null ? "" : ` until ${toIso(tariffUntil)}`
  const blocked = ownerStatus === "blocked" ? "  owner blocked" : ""
  return `${id}  ${mode}  ${status}${blocked}  ${tariff}${until}  ${name}`
}

const list = readingCommand("list", "List organizations, newest first", { ...Lists.flags }, function* (given) {
  const { directory } = yield* Engine
  const { total, organizations } = yield* directory.organizations(yield* Lists.query(given))
  return {
    json: { total, organizations: organizations.map(organizationJson) },
    text: Lists.linesOf(organizations.map(lineOf))
  }
})

const switched = (name: string, status: Organization["status"], about: string) =>
  changingCommand(name, about, { id: Lists.id }, function* ({ id }) {
    const { organizations } = yield* Engine
    if (!(yield* organizations.setStatus(id, status))) return yield* organizationNotFound(id)
    return { json: { id, status }, text: `Organization ${id}: ${status}.` }
  })

/** Organizations. */
export const organizationCommand = group("org", "Organizations", [
  list,
  switched("archive", "archived", "Archive an organization: its keys are refused from now on"),
  switched("restore", "active", "Put an archived organization in force again")
])
