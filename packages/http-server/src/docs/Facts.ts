/** Numbers and names that the texts of the documentation leave open: those of the settings in force. */

import { toleranceMs } from "@tolem/api/WebhookVerifier"
import type { Settings } from "@tolem/core/engine/Settings"
import { toTenge } from "@tolem/core/value/Money"
import { embedScript } from "../pages/EmbedScript.ts"

const minute = 60_000
const hour = 60 * minute

/** What stands for `{{name}}` in a text. */
export const factsOf = (settings: Settings): Readonly<Record<string, string>> => {
  const { amount, webhook, visitors, waitingMs, live } = settings
  const facts = {
    baseUrl: settings.baseUrl,
    baseOrigin: new URL(settings.baseUrl).origin,
    embedKb: Math.ceil(String(embedScript).length / 1024),
    reads: settings.readsPerMinute,
    writes: settings.writesPerMinute,
    views: settings.pagesPerMinute,
    visitorInvoices: visitors.invoicesPerMinute,
    publicInvoices: visitors.invoicesOfOrganizationPerMinute,
    invoicesOfOne: visitors.invoicesOfOnePerMinute,
    visitorsPercent: Math.round(settings.tariffs.visitorsPart * 100),
    minAmount: toTenge(amount.min),
    maxAmount: toTenge(amount.maxQr),
    maxPhoneAmount: toTenge(amount.maxPhone),
    qrMinutes: settings.qrWindowMs / minute,
    phoneHours: settings.phoneWindowMs / hour,
    linkHours: waitingMs["payment-link"] / hour,
    runDays: waitingMs.subscription / (24 * hour),
    lateHours: live.lateMs / hour,
    maxBulk: settings.maxBulk,
    metadataKiB: settings.maxMetadataBytes / 1024,
    pageSize: settings.defaultPageSize,
    maxPageSize: settings.maxPageSize,
    webhookSeconds: webhook.timeoutMs / 1000,
    webhookRetries: webhook.retryWaitsMs.length,
    webhookWaits: webhook.retryWaitsMs.map((wait) => wait / 1000).join(", "),
    webhookHours: Math.round(webhook.retryWaitsMs.reduce((sum, wait) => sum + wait, 0) / hour),
    toleranceSeconds: toleranceMs / 1000,
    failuresToPause: webhook.failuresToPause,
    rotationHours: webhook.rotationMs / hour,
    maxEndpoints: webhook.maxEndpoints,
    maxLinks: settings.maxPaymentLinks,
    maxHooks: settings.maxFormHooks,
    maxKeys: settings.maxKeys,
    waitSeconds: settings.feed.maxWaitMs / 1000,
    trialDays: settings.tariffs.trialMs / (24 * hour)
  }
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]))
}

/** The text with its facts. A name that there is not is a defect. */
export const filled = (text: string, facts: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const fact = facts[name]
    if (fact === undefined) throw new Error(`The documentation knows no ${name}`)
    return fact
  })
