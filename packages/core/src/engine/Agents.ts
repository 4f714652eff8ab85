/** What works by itself, for as long as it is open. */
import { Layer } from "effect"
import * as TariffKeeper from "../billing/TariffKeeper.ts"
import * as StatementMailer from "../cabinet/letter/StatementMailer.ts"
import { FormRefusals } from "../formhook/FormRefusals.ts"
import * as InvoiceWatcher from "../invoice/live/InvoiceWatcher.ts"
import * as MailDispatcher from "../letters/MailDispatcher.ts"
import { KeyUses } from "../merchant/KeyUses.ts"
import * as MessengerListener from "../messenger/MessengerListener.ts"
import * as NoticeTeller from "../notice/NoticeTeller.ts"
import * as LinkKeeper from "../paymentlink/LinkKeeper.ts"
import * as ServerBeat from "../platform/ServerBeat.ts"
import * as Reconciler from "../reconciliation/Reconciler.ts"
import { RequestLog } from "../requestlog/RequestLog.ts"
import * as SubscriptionRunner from "../subscription/SubscriptionRunner.ts"
import * as WebhookDispatcher from "../webhook/sending/WebhookDispatcher.ts"
import * as Janitor from "./Janitor.ts"
import * as SandboxJanitor from "./SandboxJanitor.ts"

/** The agents. */
export const agents = Layer.mergeAll(
  InvoiceWatcher.layer,
  SubscriptionRunner.layer,
  TariffKeeper.layer,
  LinkKeeper.layer,
  WebhookDispatcher.layer,
  MailDispatcher.layer,
  StatementMailer.layer,
  NoticeTeller.layer,
  MessengerListener.layer,
  Reconciler.layer,
  KeyUses.agent,
  RequestLog.agent,
  FormRefusals.agent,
  Janitor.layer,
  ServerBeat.layer,
  SandboxJanitor.layer
)
