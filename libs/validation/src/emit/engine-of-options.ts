import type { Engine } from './engine';

/** What was found for an object of options, and what that said then. */
interface Found {
  readonly engine: Engine | string;
  readonly generation: number;
  readonly count: number;
  readonly copy: Readonly<Record<string, unknown>>;
  readonly inside: readonly Inside[];
}

/** A list or an object among options, which its owner may change. */
interface Inside {
  readonly held: object;
  readonly copy: object;
}

/**
 * Remembers which engine was found for an object of options, as long as it says what it said: whoever validates call by
 * call has the same object each time, and may change it.
 */
export class EngineOfOptions<Options extends object> {
  private readonly found = new WeakMap<object, Found>();
  private withoutOptions: Found | undefined;

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
    const known = options === undefined ? this.withoutOptions : this.found.get(options);
    if (known?.generation === generation && (options === undefined || isAsFound(options, known)))
      return known.engine;
    const engine = this.find(options);
    const found = remember(options ?? {}, engine, this.generationOf());
    if (options === undefined) this.withoutOptions = found;
    else this.found.set(options, found);
    return engine;
  }
}

function remember(options: object, engine: Engine | string, generation: number): Found {
  const inside = Object.values(options).filter(
    (one): one is object => typeof one === 'object' && one !== null,
  );
  const copies = inside.map((held) => ({ held, copy: { ...held } }));
  return { engine, generation, count: Object.keys(options).length, copy: { ...options }, inside: copies };
}

function isAsFound(options: object, { copy, count, inside }: Found): boolean {
  if (!isSame(options, copy, count)) return false;
  for (const one of inside) if (!isSame(one.held, one.copy, Object.keys(one.copy).length)) return false;
  return true;
}

function isSame(one: object, copy: object, count: number): boolean {
  let met = 0;
  for (const name in one) {
    if ((one as Record<string, unknown>)[name] !== (copy as Record<string, unknown>)[name]) return false;
    met += 1;
  }
  return met === count;
}
