/** `tolem operator tariff …` and `tolem operator earnings …` */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { earningJson } from "@tolem/core/partner/AccountJson"
import { toIso } from "@tolem/core/value/Calendar"
import { Effect, Option } from "effect"
import { CliError, Flag } from "effect/cli"
import { changingCommand, group, ofOrganization, readingCommand } from "../kit/Commands.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import * as Lists from "../kit/Lists.ts"
import { type Columns, localTime, table } from "../kit/Tables.ts"

const maxMonths = 120

const grant = changingCommand(
  "grant",
  "Grant an organization a tariff free of charge",
  {
    organization: Flags.organization,
    tariff: Flags.tariff,
    months: Flag.Int("months").pipe(
      Flag.withDescription("For so many months; the same tariff is prolonged. Without it: without end"),
      Flag.optional,
      Flag.mapEffect((months) =>
        Option.isSome(months) && (months.value < 1 || months.value > maxMonths)
          ? Effect.fail(new CliError.ValidationError({ message: `--months must be from 1 to ${maxMonths}` }))
          : Effect.succeed(months)
      )
    )
  },
  function* ({ organization, tariff, months }) {
    const { tariffs } = yield* Engine
    const granted = yield* ofOrganization(organization)(
      tariffs.grant({ organizationId: organization, tariff, months: Option.getOrNull(months) })
    )
    const { tariffUntil } = granted.organization
    const until = tariffUntil === null ? null : toIso(tariffUntil)
    return {
      json: { organization, tariff, validUntil: until },
      text: `${organization} has ${tariff}${until === null ? " without end" : ` until ${localTime(until)}`}.`
    }
  },
  ({ tariff }) => ({ tariff })
)

/** Tariffs of organizations. */
export const operatorTariffCommand = group("tariff", "Tariffs of organizations", [grant])

const columns: Columns<ReturnType<typeof earningJson>> = {
  ID: ({ id }) => id,
  ACCOUNT: ({ accountId }) => accountId,
  KZT: ({ amount }) => amount,
  STATE: ({ state }) => state,
  TIME: ({ createdAt }) => localTime(createdAt)
}

const list = readingCommand(
  "list",
  "List what referrers have earned, newest first",
  {
    account: Flags.text("account", "ID", "Of this account only").pipe(Flag.optional)
  },
  function* ({ account }) {
    const { tariffs } = yield* Engine
    const earnings = (yield* tariffs.earnings(Option.getOrNull(account))).map(earningJson)
    return { json: earnings, text: table(earnings, columns) }
  }
)

const pay = changingCommand("pay", "Note that an earning was paid out; once", { id: Lists.id }, function* ({ id }) {
  const { tariffs } = yield* Engine
  const paid = yield* tariffs.payOut(id)
  const message = `There is no accrued earning ${id}.`
  if (Option.isNone(paid)) return yield* new CommandFailed({ error: "earning_not_accrued", message })
  const shown = earningJson(paid.value)
  return {
    json: shown,
    text: `Earning ${id} of ${shown.amount} KZT is paid out to ${shown.accountId}.`
  }
})

/** What referrers earn. */
export const earnings = group(
  "earnings",
  `What referrers earn: ${defaults.tariffs.referralPercent} percent of each tariff payment`,
  [list, pay]
)
