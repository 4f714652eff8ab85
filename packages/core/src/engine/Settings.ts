/**
 * Every number of the engine that a deployment may want to change, with its default. Durations are milliseconds.
 * Each feature states its share; here they are one. The defaults are those of the interface specification, or of the
 * decision named beside each.
 */
import { Context } from "effect"
import { type AccessSettings, accessDefaults } from "../access/AccessSettings.ts"
import { type FormHookSettings, formHookDefaults } from "../formhook/FormHookSettings.ts"
import { type LoginSettings, loginDefaults } from "../login/LoginSettings.ts"
import { type MerchantSettings, merchantDefaults } from "../merchant/MerchantSettings.ts"
import { type PaymentLinkSettings, paymentLinkDefaults } from "../paymentlink/PaymentLinkSettings.ts"
import { type SubscriptionSettings, subscriptionDefaults } from "../subscription/SubscriptionSettings.ts"
import { settingsKey } from "../value/CommonSettings.ts"
import { type WebhookSettings, webhookDefaults } from "../webhook/WebhookSettings.ts"

/** See the file's head. */
export interface Settings
  extends AccessSettings,
    MerchantSettings,
    LoginSettings,
    PaymentLinkSettings,
    FormHookSettings,
    SubscriptionSettings,
    WebhookSettings {}

/** The settings of a service that nobody has configured. */
export const defaults: Settings = {
  ...accessDefaults,
  ...merchantDefaults,
  ...loginDefaults,
  ...paymentLinkDefaults,
  ...formHookDefaults,
  ...subscriptionDefaults,
  ...webhookDefaults
}

/** The settings in force; the defaults where none are provided. */
export const Settings = Context.Reference<Settings>(settingsKey, { defaultValue: () => defaults })
