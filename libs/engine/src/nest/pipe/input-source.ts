/** The source of the pipe's input, which tells where errors are and which rules they violate. */
export interface InputSource {
  readonly type: Function;
  readonly in: 'body' | 'path' | 'query';
  /** The member of that request part, if the pipe gets only a member. */
  readonly at?: string | undefined;
  /** The validation groups; if absent, all rules apply. */
  readonly groups: readonly string[] | undefined;
  readonly value: unknown;
}
