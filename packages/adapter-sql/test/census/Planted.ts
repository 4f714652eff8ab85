/** What is done, the statements that do it, and why the stored data cannot show it where they cannot. */
export type Planted = readonly [what: string, statements: string, unseen?: string]
