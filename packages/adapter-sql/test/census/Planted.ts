/** What is done, the statements that do it, and why the stored data cannot show it if they cannot. */
export type Planted = readonly [what: string, statements: string, unseen?: string]
