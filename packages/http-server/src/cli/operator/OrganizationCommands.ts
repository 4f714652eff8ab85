/** `tolem operator org …` */
import { Engine } from "@tolem/core/engine/Engine"
import type { Organization, OwnedOrganization } from "@tolem/core/merchant/Merchant"
import { toIso } from "@tolem/core/value/Calendar"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { organizationNotFound } from "../commands/KeyCommands.ts"
import * as Assembly from "../kit/Assembly.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
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

const list = Command.make("list", { database: Flags.database, ...Lists.flags }, ({ database, ...given }) =>
  Effect.gen(function* () {
    const { directory } = yield* Engine
    const { total, organizations } = yield* directory.organizations(yield* Lists.query(given))
    yield* (yield* Output).print({
      json: { total, organizations: organizations.map(organizationJson) },
      text: Lists.linesOf(organizations.map(lineOf))
    })
  }).pipe(Effect.provide(Assembly.reading(database)))
).pipe(Command.withDescription("List organizations, newest first"))

const switched = (name: string, status: Organization["status"], about: string) =>
  Command.make(name, { database: Flags.database, id: Lists.id }, ({ database, id }) =>
    Effect.gen(function* () {
      const { organizations } = yield* Engine
      if (!(yield* organizations.setStatus(id, status))) return yield* organizationNotFound(id)
      yield* (yield* Output).print({ json: { id, status }, text: `Organization ${id}: ${status}.` })
    }).pipe(Effect.provide(Assembly.layer(database)))
  ).pipe(Command.withDescription(about))

/** Organizations. */
export const organizationCommand = Command.make("org").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([
    list,
    switched("archive", "archived", "Archive an organization: its keys are refused from now on"),
    switched("restore", "active", "Put an archived organization in force again")
  ])
)
