/**
 * Every number of the engine that a deployment may want to change, with its default. Durations are milliseconds.
 * Each feature states its share; here they are one. The defaults are those of the interface specification, or of the
 * decision named beside each.
 */
import { Context } from "effect"
import { type AccessSettings, accessDefaults } from "../access/AccessSettings.ts"
import { type FeedSettings, feedDefaults } from "../feed/FeedSettings.ts"
import { type FormHookSettings, formHookDefaults } from "../formhook/FormHookSettings.ts"
import { type InvitationSettings, invitationDefaults } from "../invitation/InvitationSettings.ts"
import { type LoginSettings, loginDefaults } from "../login/LoginSettings.ts"
import { type MerchantSettings, merchantDefaults } from "../merchant/MerchantSettings.ts"
import { type PaymentLinkSettings, paymentLinkDefaults } from "../paymentlink/PaymentLinkSettings.ts"
import { type ServerSettings, serverDefaults } from "../platform/ServerSettings.ts"
import { type ReconciliationSettings, reconciliationDefaults } from "../reconciliation/ReconciliationSettings.ts"
import { type RequestLogSettings, requestLogDefaults } from "../requestlog/RequestLogSettings.ts"
import { type SubscriptionSettings, subscriptionDefaults } from "../subscription/SubscriptionSettings.ts"
import { isObject } from "../value/Checks.ts"
import { settingsKey } from "../value/CommonSettings.ts"
import { type WebhookSettings, webhookDefaults } from "../webhook/WebhookSettings.ts"
import { type RetentionSettings, retentionDefaults } from "./RetentionSettings.ts"

/** All settings of the engine; each feature states its share. */
export interface Settings
  extends AccessSettings,
    MerchantSettings,
    LoginSettings,
    InvitationSettings,
    PaymentLinkSettings,
    FormHookSettings,
    RequestLogSettings,
    SubscriptionSettings,
    FeedSettings,
    WebhookSettings,
    ReconciliationSettings,
    ServerSettings,
    RetentionSettings {}

/** Some of the settings. A group may leave members out; lists, and what may be null, are given whole. */
export type SettingsPart = PartOf<Settings>

type PartOf<Group> = {
  readonly [Name in keyof Group]?: null extends Group[Name]
    ? Group[Name]
    : Group[Name] extends string | number | boolean | ReadonlyArray<unknown>
      ? Group[Name]
      : PartOf<Group[Name]>
}

/** The settings of a service without any configuration. */
export const defaults: Settings = {
  ...accessDefaults,
  ...merchantDefaults,
  ...loginDefaults,
  ...invitationDefaults,
  ...paymentLinkDefaults,
  ...formHookDefaults,
  ...requestLogDefaults,
  ...subscriptionDefaults,
  ...feedDefaults,
  ...webhookDefaults,
  ...reconciliationDefaults,
  ...serverDefaults,
  ...retentionDefaults
}

/** The settings in force; the defaults where none are provided. */
export const Settings = Context.Reference<Settings>(settingsKey, { defaultValue: () => defaults })

/** The settings with what is given, through all groups. A getter stays one: it is asked anew each time. */
export const withSettings = (settings: Settings, part: SettingsPart): Settings => merged(settings, part)

const merged = <Group extends object>(group: Group, part: PartOf<Group>): Group => {
  const members: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(group)
  for (const [name, given] of Object.entries<PropertyDescriptor>(Object.getOwnPropertyDescriptors(part))) {
    const earlier: unknown = members[name]?.value
    if (given.get === undefined && given.value === undefined) continue
    const isGroup = isObject(earlier) && isObject(given.value)
    members[name] = isGroup ? { ...given, value: merged(earlier, given.value) } : given
  }
  return Object.create(Object.prototype, members)
}
