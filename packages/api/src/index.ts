/** The HTTP contract of Tölem: the API value, wire schemas, typed clients, and the verifier for webhook receivers. */

export * from "./Account.ts"
export { Api } from "./Api.ts"
export * as Client from "./Client.ts"
export * from "./FormHook.ts"
export * from "./Invoice.ts"
export { PanelApi } from "./PanelApi.ts"
export * from "./Partner.ts"
export * from "./PaymentLink.ts"
export * as PromiseClient from "./PromiseClient.ts"
export * from "./Subscription.ts"
export * from "./WebhookEndpoint.ts"
export * as WebhookVerifier from "./WebhookVerifier.ts"
