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
