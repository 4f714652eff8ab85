/** What the engine is given for the console of those who run the platform. */
import { Layer } from "effect"
import { AccountConsole } from "./console/AccountConsole.ts"
import type { ConsoleStore } from "./console/ConsoleStore.ts"
import { EarningConsole } from "./console/EarningConsole.ts"
import { JournalConsole } from "./console/JournalConsole.ts"
import { Looks } from "./console/Looks.ts"
import { OrganizationConsole } from "./console/OrganizationConsole.ts"
import { RefundQuestions } from "./console/RefundQuestions.ts"
import type { OperatorStore } from "./OperatorStore.ts"
import type { Operators } from "./Operators.ts"

/** Ports that it needs. */
export type ConsoleStores = OperatorStore | ConsoleStore

/** Its use-cases. */
export type ConsoleUseCases =
  | Operators
  | AccountConsole
  | OrganizationConsole
  | EarningConsole
  | JournalConsole
  | Looks
  | RefundQuestions

/** Those that stand on all others. */
export const layer = Layer.mergeAll(
  AccountConsole.layer,
  OrganizationConsole.layer,
  EarningConsole.layer,
  JournalConsole.layer,
  Looks.layer,
  RefundQuestions.layer
)
