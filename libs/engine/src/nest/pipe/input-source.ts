/** The input of the pipe: where errors are, and which rules they violate. */
export interface InputSource {
  readonly type: Function;
  readonly in: 'body' | 'path' | 'query';
  /** The member of that part, if the pipe was given only a member. */
  readonly at?: string | undefined;
  /** The validation groups; all rules without. */
  readonly groups: readonly string[] | undefined;
  readonly value: unknown;
}
