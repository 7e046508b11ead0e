import { rulesGeneration, transformsGeneration } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import { type CheckInstance, compileInstances } from './instance/compile-instance';
import { whyLibrary } from './library';
import { type CompileOptions, readSettings } from './settings';
import { compileTransform, type Convert } from './transform/compile-transform';

/** What was compiled for one choice of options, and when. */
interface Kept<Made> {
  readonly generation: number;
  readonly made: Made | undefined;
}

const MOST_KEPT = 64;
const checkers = new Map<string, Kept<CheckInstance>>();
const converters = new Map<string, Kept<Convert>>();

/**
 * Finds or compiles what validates an instance under some options, which callers make anew for each call.
 *
 * @returns `undefined` for what is the library's own affair: a schema's name, an unknown version, debug messages
 */
export function checkerFor(object: unknown, given: unknown, ignoreAsync: boolean): CheckInstance | undefined {
  if (typeof object === 'string' || (given !== undefined && typeof given !== 'object')) return undefined;
  const options: CompileOptions = {
    ...withOwnLists({ ...(given as CompileOptions | undefined) }),
    ignoreAsync,
  };
  return find(checkers, ruleKey(options), () =>
    whyLibrary(options) === undefined ? compileInstances(readSettings(options)) : undefined,
  );
}

/** Finds or compiles what makes instances under some options. */
export function converterFor(given?: ClassTransformOptions | null): Convert | undefined {
  const options = given ?? {};
  if (!Object.keys(options).every((name) => TRANSFORM_OPTIONS.has(name))) return undefined;
  return find(converters, transformKey(options), () =>
    whyLibrary({}) === undefined ? compileTransform(withOwnLists({ ...options })) : undefined,
  );
}

/** A list of the caller's may be another at the next call; what is kept must not change with it. */
function withOwnLists<Options extends { groups?: string[] }>(options: Options): Options {
  return options.groups ? { ...options, groups: [...options.groups] } : options;
}

/** A transform may be told of any other option, whose value is not among the keys of what is kept. */
const TRANSFORM_OPTIONS = new Set([
  'enableCircularCheck',
  'enableImplicitConversion',
  'excludeExtraneousValues',
  'excludePrefixes',
  'exposeDefaultValues',
  'exposeUnsetFields',
  'groups',
  'ignoreDecorators',
  'strategy',
  'version',
]);

function find<Made>(
  kept: Map<string, Kept<Made>>,
  key: string,
  make: () => Made | undefined,
): Made | undefined {
  const generation = rulesGeneration() + transformsGeneration();
  const found = kept.get(key);
  if (found?.generation === generation) return found.made;
  if (kept.size >= MOST_KEPT) kept.clear();
  const made = make();
  kept.set(key, { generation: rulesGeneration() + transformsGeneration(), made });
  return made;
}

const FLAGS = [
  'whitelist',
  'forbidNonWhitelisted',
  'forbidUnknownValues',
  'skipMissingProperties',
  'skipNullProperties',
  'skipUndefinedProperties',
  'stopAtFirstError',
  'dismissDefaultMessages',
  'always',
  'strictGroups',
  'enableDebugMessages',
  'ignoreAsync',
] as const;

/** Every option by name and value; texts are quoted, so that two choices never share a key. */
function ruleKey(options: CompileOptions): string {
  let key = '';
  for (const flag of FLAGS) key += `${String(options[flag])},`;
  const { target, value } = options.validationError ?? {};
  return `${key}${String(target)},${String(value)}${quoted(options.groups)}`;
}

function transformKey(options: ClassTransformOptions): string {
  const { version, strategy, groups, excludePrefixes } = options;
  const { enableCircularCheck, enableImplicitConversion, exposeDefaultValues, exposeUnsetFields } = options;
  const flags = [enableCircularCheck, enableImplicitConversion, exposeDefaultValues, exposeUnsetFields];
  const rest = [options.excludeExtraneousValues, options.ignoreDecorators, version, strategy];
  return `${flags.join()},${rest.join()}${quoted(groups)}${quoted(excludePrefixes)}`;
}

function quoted(list: readonly string[] | undefined): string {
  return list === undefined ? '' : JSON.stringify(list);
}
