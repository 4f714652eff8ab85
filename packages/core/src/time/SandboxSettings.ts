/** What bounds a sandbox. Durations are milliseconds. */
import type { Effect } from "effect"
import { type CommonSettings, commonDefaults, shareOf } from "../value/CommonSettings.ts"

/** The settings of sandboxes. */
export interface SandboxSettings extends CommonSettings {
  /** What keeps a sandbox from growing without bounds; null each: no bound, as for an application's own sandbox. */
  readonly sandbox: {
    /** Invoices of an organization in a day of Almaty. */
    readonly invoicesPerDay: number | null
    /** How long what has not changed is kept. */
    readonly keptMs: number | null
    /**
     * Addresses that letters of sandboxes may go to besides those of the organization's members; `@example.kz` stands
     * for all addresses there. The others are kept and never sent.
     */
    readonly mailTo: ReadonlyArray<string> | null
  }
}

/** Their defaults. */
export const sandboxDefaults: SandboxSettings = {
  ...commonDefaults,
  sandbox: { invoicesPerDay: null, keptMs: null, mailTo: null }
}

/** Those in force. */
export const SandboxSettings: Effect.Effect<SandboxSettings> = shareOf(sandboxDefaults)
