/**
 * The parameter limit for named statements. A longer statement usually contains a list with a varying length. Our longest
 * statement has 24.
 */
const MAX_NAMED_PARAMETERS = 30;

/** Names prepared statements. Each SQL text has the same name on all connections, so that each connection plans it once. */
export class StatementNames {
  private readonly names = new Map<string, string | undefined>();
  private readonly most: number;

  /** @param most the most distinct prepared statements; further statements are planned on each execution */
  constructor(most: number) {
    this.most = most;
  }

  /**
   * Returns the statement name; `undefined` if the statement is not to be prepared: transaction control, long lists, over the
   * limit, or forgotten.
   */
  nameFor(text: string, parameters: number): string | undefined {
    if (parameters > MAX_NAMED_PARAMETERS) return undefined;
    if (this.names.has(text)) return this.names.get(text);
    if (this.names.size >= this.most || !/^(select|insert|update|delete|with) /.test(text)) return undefined;
    const name = `sluice_${this.names.size}`;
    this.names.set(text, name);
    return name;
  }

  /** Stops preparing this text: some connections hold an invalid plan under its name. */
  forget(text: string): void {
    this.names.set(text, undefined);
  }
}
