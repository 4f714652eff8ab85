/** The sandbox payment provider of Tölem: a provider to try live mode with. */
export { layer as remoteSandboxPayments } from "./HttpProvider.ts"
export { layer as sandboxPayments } from "./InProcess.ts"
export { make as sandboxBank, type SandboxBank } from "./SandboxBank.ts"
export { routes as sandboxRoutes } from "./SandboxServer.ts"
