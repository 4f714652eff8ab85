/** `tolem operator org …` */
import { Engine } from "@tolem/core/engine/Engine"
import type { Organization, OwnedOrganization } from "@tolem/core/merchant/Merchant"
import { toIso } from "@tolem/core/value/Calendar"
import { changingCommand, group, organizationNotFound, readingCommand } from "../kit/Commands.ts"
import * as Lists from "../kit/Lists.ts"
import { type Columns, localTime } from "../kit/Tables.ts"

/** An organization for those who run the platform. */
export const organizationJson = ({ organization, ownerStatus }: OwnedOrganization) => {
  const { createdAt, tariffUntil, ...rest } = organization
  return {
    ...rest,
    tariffUntil: tariffUntil === null ? null : toIso(tariffUntil),
    ownerStatus,
    createdAt: toIso(createdAt)
  }
}

const columns: Columns<OwnedOrganization> = {
  ID: ({ organization }) => organization.id,
  NAME: ({ organization }) => organization.name,
  MODE: ({ organization }) => organization.mode,
  STATUS: ({ organization }) => organization.status,
  OWNER: ({ ownerStatus }) => ownerStatus,
  TARIFF: ({ organization }) => organization.tariff,
  UNTIL: ({ organization }) => localTime(organization.tariffUntil),
  CREATED: ({ organization }) => localTime(organization.createdAt)
}

/** The organizations of the database. */
export const organizationList = readingCommand(
  "list",
  "List organizations, newest first",
  { ...Lists.flags },
  function* (given) {
    const { directory } = yield* Engine
    const query = yield* Lists.query(given)
    const { total, organizations } = yield* directory.organizations(query)
    return {
      json: { total, organizations: organizations.map(organizationJson) },
      text: Lists.paged({ ...query, total }, organizations, columns)
    }
  }
)

const switched = (name: string, status: Organization["status"], about: string) =>
  changingCommand(name, about, { id: Lists.id }, function* ({ id }) {
    const { organizations } = yield* Engine
    if (!(yield* organizations.setStatus(id, status))) return yield* organizationNotFound(id)
    return { json: { id, status }, text: `Organization ${id}: ${status}.` }
  })

/** Organizations. */
export const organizationCommand = group("org", "Organizations", [
  organizationList,
  switched("archive", "archived", "Archive an organization: its keys are refused from now on"),
  switched("restore", "active", "Put an archived organization in force again")
])
