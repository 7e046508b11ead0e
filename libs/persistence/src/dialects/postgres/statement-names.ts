/** Distinct statements that get a name; what comes later is planned each time. */
const MAX_NAMES = 200;

/** A statement with more parameters holds a list, and comes again only with a list of the same length. */
const MAX_NAMED_PARAMETERS = 20;

/** Gives each text of SQL one name, on every connection alike, so that the server plans it once a connection. */
export class StatementNames {
  readonly #names = new Map<string, string | undefined>();

  /** The text's name; `undefined` for transaction control, for long lists, past the limit, or once it was forgotten. */
  nameFor(text: string, parameters: number): string | undefined {
    if (parameters > MAX_NAMED_PARAMETERS) return undefined;
    if (this.#names.has(text)) return this.#names.get(text);
    if (this.#names.size >= MAX_NAMES || !/^(select|insert|update|delete|with) /.test(text)) return undefined;
    const name = `sluice_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** Never names this text again: some connection holds a plan under that name which no longer fits. */
  forget(text: string): void {
    this.#names.set(text, undefined);
  }
}
