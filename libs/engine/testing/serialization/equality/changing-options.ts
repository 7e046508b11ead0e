import type { ClassTransformOptions } from 'class-transformer';
import type { Chance } from './chance.ts';
import type { MadeClass } from './decorate.ts';

/** The options that several calls share and that change between the calls. */
export interface ChangingOptions {
  /** The same object for all calls; `undefined` for calls without options. */
  readonly current: ClassTransformOptions | undefined;
  change(chance: Chance): void;
  /** Calls a function with the current arrays, and restores them afterwards, so that both implementations get the same arrays. */
  afresh<Made>(call: () => Made): Made;
}

interface Held {
  groups?: string[];
  excludePrefixes?: string[];
  version?: number;
  strategy?: 'exposeAll' | 'excludeAll';
  exposeUnsetFields?: boolean;
  /** The tenant, which only transforms read, because class-transformer has no such option. */
  tenant?: string;
}

export function makeChangingOptions(
  chance: Chance,
  { classes }: { readonly classes: readonly MadeClass[] },
): ChangingOptions {
  const options = chance.is(0.1) ? undefined : makeOptions(chance, classes);
  return {
    current: options,
    change(by) {
      if (options !== undefined) changeOptions(options, by);
    },
    afresh(call) {
      const lists = [options?.groups, options?.excludePrefixes].filter((list) => list !== undefined);
      const copies = lists.map((list) => [...list]);
      try {
        return call();
      } finally {
        for (const [at, list] of lists.entries()) list.splice(0, list.length, ...copies[at]);
      }
    },
  };
}

type Made = ClassTransformOptions & Held;

function makeOptions(chance: Chance, classes: readonly MadeClass[]): Made {
  return {
    ...(chance.is(0.3) && { groups: chance.some(['admin', 'user'], 0.6) }),
    ...(chance.is(0.2) && { version: chance.below(4) }),
    ...(chance.is(0.15) && { strategy: chance.one(['excludeAll' as const, 'exposeAll' as const]) }),
    ...(chance.is(0.1) && { excludeExtraneousValues: true }),
    ...(chance.is(0.15) && { exposeUnsetFields: chance.is(0.5) ? false : undefined }),
    ...(chance.is(0.04) && { enableCircularCheck: true }),
    ...(chance.is(0.05) && { ignoreDecorators: true }),
    ...(chance.is(0.05) && { excludePrefixes: chance.some(['p', 'a', 'na', ''], 0.5) }),
    ...(chance.is(0.02) && { exposeDefaultValues: true, enableImplicitConversion: true }),
    ...(chance.is(0.2) && { tenant: 'A' }),
    ...(chance.is(0.01) && {
      targetMaps: [{ target: classes[0], properties: { part: chance.one(classes) } }],
    }),
  };
}

const changes: readonly ((options: Made, chance: Chance) => void)[] = [
  ({ groups }) => groups?.push('admin'),
  ({ groups }) => groups?.pop(),
  ({ groups }) => groups?.unshift('user'),
  (options, chance) => (options.groups = chance.some(['admin', 'user'], 0.6)),
  (options) => delete options.groups,
  (options, chance) => (options.version = chance.below(4)),
  (options) => (options.exposeUnsetFields = !(options.exposeUnsetFields ?? true)),
  (options, chance) => (options.tenant = chance.one(['A', 'B'])),
  ({ excludePrefixes }) => excludePrefixes?.pop(),
];

function changeOptions(options: Made, chance: Chance): void {
  chance.one(changes)(options, chance);
}
