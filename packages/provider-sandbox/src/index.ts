/** The sandbox payment provider of Tölem. */
export { layer, layer as sandboxProvider, make, type Options } from "./SandboxProvider.ts"
