/** How a configuration file is called and named. Imports nothing of the server, as the program asks this first. */
import { existsSync } from "node:fs"
import { join } from "node:path"

/** What it is called in the working folder. */
export const configNames: ReadonlyArray<string> = ["tolem.config.ts", "tolem.config.js", "tolem.config.mjs"]

/** The environment variable that names it. */
export const configVariable = "TOLEM_CONFIG"

/** What a program was started with. */
interface Start {
  readonly args: ReadonlyArray<string>
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly folder: string
}

/** Whether a configuration file may take part in this call. */
export const mayBeConfigured = ({ args, variables, folder }: Start): boolean =>
  args.some((arg) => arg === "--config" || arg.startsWith("--config=")) ||
  [configVariable, `${configVariable}_FILE`].some((name) => variables[name] !== undefined) ||
  configNames.some((name) => existsSync(join(folder, name)))
