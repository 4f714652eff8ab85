/** All stores of the engine over one SQL client. */
import type { AuditStore as AuditPort } from "@tolem/core/audit/AuditStore"
import type { ConnectionStore as ConnectionPort } from "@tolem/core/connection/ConnectionStore"
import type { FormHookStore as FormHookPort } from "@tolem/core/hook/FormHookStore"
import type { Integrity as IntegrityPort } from "@tolem/core/Integrity"
import type { InvoiceStore as InvoicePort } from "@tolem/core/invoice/InvoiceStore"
import type { PaymentLinkStore as PaymentLinkPort } from "@tolem/core/link/PaymentLinkStore"
import type { LoginStore as LoginPort } from "@tolem/core/login/LoginStore"
import type { MailStore as MailPort } from "@tolem/core/mail/MailStore"
import type { ClockStore as ClockPort } from "@tolem/core/merchant/ClockStore"
import type { DirectoryStore as DirectoryPort } from "@tolem/core/merchant/DirectoryStore"
import type { MerchantStore as MerchantPort } from "@tolem/core/merchant/MerchantStore"
import type { SandboxStore as SandboxPort } from "@tolem/core/merchant/SandboxStore"
import type { PartnerStore as PartnerPort } from "@tolem/core/partner/PartnerStore"
import type { RateStore as RatePort } from "@tolem/core/ratelimit/RateStore"
import type { SealedTexts as SealedTextsPort } from "@tolem/core/SealedTexts"
import type { SecretBox, SecretUnreadable } from "@tolem/core/SecretBox"
import type { SubscriptionStore as SubscriptionPort } from "@tolem/core/subscription/SubscriptionStore"
import type { TariffStore as TariffPort } from "@tolem/core/tariff/TariffStore"
import type { WebhookStore as WebhookPort } from "@tolem/core/webhook/WebhookStore"
import { Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as AuditLog from "./AuditLog.ts"
import * as ClockStore from "./ClockStore.ts"
import * as ConnectionStore from "./ConnectionStore.ts"
import { Database, type Options as DatabaseOptions } from "./Database.ts"
import * as DirectoryStore from "./DirectoryStore.ts"
import * as FormHookStore from "./FormHookStore.ts"
import * as Integrity from "./Integrity.ts"
import * as InvoiceStore from "./InvoiceStore.ts"
import * as LoginStore from "./LoginStore.ts"
import * as MailStore from "./MailStore.ts"
import * as MerchantStore from "./MerchantStore.ts"
import * as PartnerStore from "./PartnerStore.ts"
import * as PaymentLinkStore from "./PaymentLinkStore.ts"
import * as RateStore from "./RateStore.ts"
import * as SandboxStore from "./SandboxStore.ts"
import * as SealedTexts from "./SealedTexts.ts"
import * as Sealing from "./Sealing.ts"
import * as SecretCheck from "./SecretCheck.ts"
import * as SubscriptionStore from "./SubscriptionStore.ts"
import * as TariffStore from "./TariffStore.ts"
import * as WebhookStore from "./WebhookStore.ts"

/** Settings of the stores. */
export interface Options extends DatabaseOptions, InvoiceStore.Options, SecretCheck.Options {}

/** What the layer provides. */
export type Stores =
  | InvoicePort
  | SubscriptionPort
  | ConnectionPort
  | WebhookPort
  | PaymentLinkPort
  | FormHookPort
  | MerchantPort
  | DirectoryPort
  | TariffPort
  | PartnerPort
  | AuditPort
  | ClockPort
  | SandboxPort
  | MailPort
  | LoginPort
  | RatePort
  | IntegrityPort
  | SealedTextsPort

/**
 * The stores over the client. The schema must be up to date, see `Migrations`. Fails with `SecretUnreadable` where the
 * database's secrets were sealed with keys that the box lacks.
 */
export const layer = (
  options: Options = {}
): Layer.Layer<Stores, SqlError.SqlError | SecretUnreadable, SqlClient.SqlClient | SecretBox> =>
  Layer.mergeAll(
    InvoiceStore.layer(options),
    SubscriptionStore.layer(options),
    WebhookStore.layer,
    PaymentLinkStore.layer,
    FormHookStore.layer,
    MailStore.layer,
    LoginStore.layer,
    ClockStore.layer,
    SandboxStore.layer(options),
    MerchantStore.layer,
    DirectoryStore.layer,
    TariffStore.layer,
    PartnerStore.layer,
    AuditLog.layer,
    RateStore.layer,
    Integrity.layer,
    ConnectionStore.layer,
    SealedTexts.layer,
    SecretCheck.layer(options),
    options.readOnly === true ? Layer.empty : Sealing.layer
  ).pipe(Layer.provide(Database.layer(options)))
