/** A change that a release makes in a team's sources, such as `@Answers is @Returns`. */
export interface Codemod {
  readonly release: string;
  readonly changes: string;
  /** The paths in the workspace that the codemod reads. */
  readonly files: RegExp;
  readonly apply: (text: string, path: string) => string;
}

/** The codemods for all releases, oldest first. Each codemod is a file in `codemods/`. */
export const codemods: readonly Codemod[] = [];
