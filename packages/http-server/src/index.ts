/** The reference server of Tölem: a listening server, and the same service as one web-standard function. */
import "./NodeCheck.ts"

export { defineConfig, type TariffOffer, type TolemConfig } from "./Config.ts"
export { toNodeHandler } from "./NodeHandler.ts"
export * as Routes from "./Routes.ts"
export * as Server from "./Server.ts"
export * as WebHandler from "./WebHandler.ts"
export { type FetchHandler, handler } from "./WebHandler.ts"
