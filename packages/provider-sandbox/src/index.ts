/** The sandbox payment provider of Tölem. */
export { layer, make, type Options } from "./SandboxProvider.ts"
export { layer as sandboxProvider } from "./SandboxProvider.ts"
