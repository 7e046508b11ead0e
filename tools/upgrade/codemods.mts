/** A change that a release makes in the sources of a team, such as `@Answers is @Returns`. */
export interface Codemod {
  readonly release: string;
  readonly changes: string;
  /** The paths in the workspace that the codemod reads. */
  readonly files: RegExp;
  readonly apply: (text: string, path: string) => string;
}

/** The codemods of all releases, oldest first; each is a file of `codemods/`. */
export const codemods: readonly Codemod[] = [];
