/** Modules that are no TypeScript. */
declare module "*.module.css" {
  const styles: Readonly<Record<string, string>>

  export { styles as default }
}
declare module "*.css"
declare module "virtual:tokens.css"
declare module "virtual:catalogue/*" {
  /** The text of each error code, in the language. */
  export const catalogue: Readonly<Record<string, string>>
}
declare module "virtual:permissions" {
  /** Who may do what, as every call asks it. */
  export const permissions: typeof import("@tolem/core/merchant/Permission").permissions
}
declare module "virtual:verifiers" {
  /** Programs that check signatures, by the name of their language. */
  export const verifiers: ReadonlyArray<{ readonly name: string; readonly code: string }>
}
