import type { Engine } from './engine';

/** What was found for an object of options, and what that said then. */
interface Found {
  readonly engine: Engine | string;
  readonly generation: number;
  /** The options, and the lists and objects among them, which their owner may change. */
  readonly copies: readonly Copy[];
}

interface Copy {
  readonly held: object;
  readonly names: readonly string[];
  readonly values: readonly unknown[];
}

/**
 * Remembers which engine was found for an object of options, as long as it says what it said: whoever validates call by
 * call has the same object each time, and may change it.
 */
export class EngineOfOptions<Options extends object> {
  private readonly found = new WeakMap<object, Found>();
  /** Most callers have one object of options, or none. */
  private lastOptions: Options | undefined;
  private last: Found | undefined;

  /**
   * @param find finds the engine of options, by what they say
   * @param generationOf gives a number that changes when engines are out of date
   */
  constructor(
    private readonly find: (options: Options | undefined) => Engine | string,
    private readonly generationOf: () => number,
  ) {}

  engineFor(options: Options | undefined): Engine | string {
    const generation = this.generationOf();
    if (options !== this.lastOptions) {
      this.last = options && this.found.get(options);
      this.lastOptions = options;
    }
    const { last } = this;
    if (last?.generation === generation && areUnchanged(last.copies)) return last.engine;
    const engine = this.find(options);
    this.last = { engine, generation: this.generationOf(), copies: options ? copiesOf(options) : [] };
    if (options) this.found.set(options, this.last);
    return engine;
  }
}

function copiesOf(options: object): Copy[] {
  const inside = Object.values(options).filter(
    (one): one is object => typeof one === 'object' && one !== null,
  );
  return [options, ...inside].map((held) => ({
    held,
    names: Object.keys(held),
    values: Object.values(held),
  }));
}

function areUnchanged(copies: readonly Copy[]): boolean {
  for (const copy of copies) if (!isUnchanged(copy)) return false;
  return true;
}

function isUnchanged({ held, names, values }: Copy): boolean {
  let at = 0;
  for (const name in held) {
    if (name !== names[at] || (held as Record<string, unknown>)[name] !== values[at]) return false;
    at += 1;
  }
  return at === names.length;
}
