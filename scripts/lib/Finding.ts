/** What a check found: where, and what to do about it. */
export interface Finding {
  /** Path from the repository's root. */
  readonly path: string
  /** Counted from 1; 0 if the finding is about the whole file. */
  readonly line: number
  readonly message: string
}

/** One line of text per finding, as editors and terminals link it. */
export const render = ({ path, line, message }: Finding): string =>
  line === 0 ? `${path}: ${message}` : `${path}:${line}: ${message}`
