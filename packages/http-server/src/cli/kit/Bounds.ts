/** What a server bounds: sandboxes, letters, and what it keeps. An application that embeds the engine need not. */
import type { SettingsPart } from "@tolem/core/engine/Settings"
import { Config, Option } from "effect"
import { type Command, Flag } from "effect/cli"
import { isMailTo } from "./Addresses.ts"
import * as Flags from "./Flags.ts"

const dayMs = 24 * 60 * 60 * 1000

/** Enough for a merchant's own load tests; a program that loops ends there. */
const invoicesPerDay = 20_000
/** A season: what a developer has not touched for so long is not missed. */
const keptDays = 90
/** What was sent and answered fills the disk: a season is enough to find out what went wrong. */
const attemptDays = 90
/** A month: most of an attempt are its bodies, and who was sent what is in the event. */
const attemptBodyDays = 30
/** A year: as long as a receiver may want to see what it was told. */
const deliveryDays = 365
/** A year, too: a letter holds the address of a person. */
const letterDays = 365
/** An invoice and a receipt for each of the largest tariff's 10,000 live invoices of a day. */
const lettersPerDay = 20_000

const count = (flag: string, name: string, description: string, value: number) =>
  Flags.withUsual(
    {
      flag: Flag.Int(flag),
      variable: Config.Int,
      name,
      description: `${description}; 0: no bound`,
      wrong: (given) => (given >= 0 ? undefined : `--${flag} must not be negative`)
    },
    value
  )

const days = (flag: string, name: string, what: string, value: number) =>
  count(flag, name, `Days after which ${what} removed`, value)

/** The flags, as a part of a command's. */
export const flags = {
  sandboxInvoicesPerDay: count(
    "sandbox-invoices-per-day",
    "TOLEM_SANDBOX_INVOICES_PER_DAY",
    "Sandbox invoices of an organization in a day of Almaty",
    invoicesPerDay
  ),
  sandboxDays: count(
    "sandbox-days",
    "TOLEM_SANDBOX_DAYS",
    "Days after which sandbox data that has not changed is removed",
    keptDays
  ),
  attemptDays: days("attempt-days", "TOLEM_ATTEMPT_DAYS", "attempts of webhooks are", attemptDays),
  attemptBodyDays: days(
    "attempt-body-days",
    "TOLEM_ATTEMPT_BODY_DAYS",
    "what was sent and answered in attempts of webhooks is",
    attemptBodyDays
  ),
  deliveryDays: days("delivery-days", "TOLEM_DELIVERY_DAYS", "webhook deliveries that have ended are", deliveryDays),
  letterDays: days("letter-days", "TOLEM_LETTER_DAYS", "letters that were sent or given up are", letterDays),
  sandboxMailTo: Flags.optional({
    ...Flags.ofText("sandbox-mail-to", "ADDRESSES"),
    name: "TOLEM_SANDBOX_MAIL_TO",
    description: "Where letters of sandboxes may go, commas between, as qa@example.kz,@shop.kz; default nowhere",
    wrong: Flags.unlessEach(isMailTo, "sandbox-mail-to", "is neither an address nor @DOMAIN")
  }),
  lettersPerDay: count(
    "letters-per-day",
    "TOLEM_LETTERS_PER_DAY",
    "Letters of an organization and mode that are sent in a day of Almaty",
    lettersPerDay
  )
}

/** The bounds of a server that is told nothing else. */
export const usual: SettingsPart = {
  sandbox: { invoicesPerDay, keptMs: keptDays * dayMs, mailTo: [] },
  mail: { perDay: lettersPerDay },
  retention: {
    attemptsMs: attemptDays * dayMs,
    attemptBodiesMs: attemptBodyDays * dayMs,
    deliveriesMs: deliveryDays * dayMs,
    lettersMs: letterDays * dayMs
  }
}

/** The settings that the flags name. */
export const settingsOf = (bounds: Command.Command.Config.Infer<typeof flags>): SettingsPart => {
  const { sandboxInvoicesPerDay: invoices, sandboxDays: days, sandboxMailTo: mailTo, lettersPerDay: letters } = bounds
  return {
    sandbox: {
      ...(Option.isSome(invoices) && { invoicesPerDay: bounded(invoices.value) }),
      ...(Option.isSome(days) && { keptMs: bounded(days.value * dayMs) }),
      ...(Option.isSome(mailTo) && { mailTo: Flags.list(mailTo.value) })
    },
    ...(Option.isSome(letters) && { mail: { perDay: bounded(letters.value) } }),
    retention: {
      ...(Option.isSome(bounds.attemptDays) && { attemptsMs: bounded(bounds.attemptDays.value * dayMs) }),
      ...(Option.isSome(bounds.attemptBodyDays) && { attemptBodiesMs: bounded(bounds.attemptBodyDays.value * dayMs) }),
      ...(Option.isSome(bounds.deliveryDays) && { deliveriesMs: bounded(bounds.deliveryDays.value * dayMs) }),
      ...(Option.isSome(bounds.letterDays) && { lettersMs: bounded(bounds.letterDays.value * dayMs) })
    }
  }
}

const bounded = (count: number): number | null => (count === 0 ? null : count)
