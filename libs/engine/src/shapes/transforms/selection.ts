import type { DeclaredOptions, Direction } from './storage';
import type { Strategy, TransformRule, TransformShape } from './transform-shape';

/** The options of class-transformer that select rules. */
export interface Choice {
  readonly groups?: readonly string[] | undefined;
  readonly version?: number | undefined;
  readonly strategy?: 'exposeAll' | 'excludeAll' | undefined;
  readonly excludeExtraneousValues?: boolean | undefined;
  readonly excludePrefixes?: readonly string[] | undefined;
}

/** The keys of a value that are processed, and how. */
export interface KeySelection {
  /** Whether the keys of the value come first, in its own order. */
  readonly takesOwnKeys: boolean;
  /** The exposed keys that remain, in order, without repetition. */
  readonly exposed: readonly string[];
  /** Whether a key remains, whether it is the value's own or exposed. */
  keeps(key: string): boolean;
}

/**
 * Selects the keys that class-transformer processes, as far as they are known without a value.
 *
 * The keys for input are exposed names (`@Expose({ name })`); filters look them up like properties, like class-transformer.
 *
 * @param strategy the strategy; by default the class's own
 */
export function selectKeys(
  shape: TransformShape,
  direction: Direction,
  choice: Choice,
  strategy: Strategy = shape.strategy,
): KeySelection {
  const effective = strategy === 'none' ? (choice.strategy ?? 'exposeAll') : strategy;
  const excluded = new Set(shape.excluded.filter((rule) => counts(rule, direction)).map(propertyOf));
  const keeps = (key: string): boolean =>
    !excluded.has(key) && isChosenKey(shape, key, choice) && !hasPrefix(key, choice.excludePrefixes);
  const listed = shape.exposed.filter((rule) => counts(rule, direction)).map(propertyOf);
  const names = direction === 'toClass' ? listed.map((key) => wireName(shape, key)) : listed;
  return {
    takesOwnKeys: effective === 'exposeAll' && !choice.excludeExtraneousValues,
    exposed: [...new Set(names)].filter(keeps),
    keeps,
  };
}

/** Returns the transforms that apply to a property, in the order in which they run. */
export function selectTransforms(
  shape: TransformShape,
  property: string,
  direction: Direction,
  choice: Choice,
): readonly TransformRule[] {
  const rules = shape.transformsOf.get(property) ?? [];
  return rules.filter(
    (rule) => counts(rule, direction) && isInVersion(rule, choice) && isInGroups(rule, choice),
  );
}

/** Returns the exposed name of a property. */
export function wireName(shape: TransformShape, property: string): string {
  return shape.exposeOf.get(property)?.name || property;
}

/** Whether an option applies to a direction. Setting both options has the same effect as omitting both. */
function counts({ toClassOnly, toPlainOnly }: DeclaredOptions, direction: Direction): boolean {
  if ((toClassOnly === true) === (toPlainOnly === true)) return true;
  return direction === 'toClass' ? toClassOnly === true : toPlainOnly === true;
}

function isChosenKey(shape: TransformShape, key: string, choice: Choice): boolean {
  const rule = shape.exposeOf.get(key);
  return rule === undefined || (isInVersion(rule, choice) && isInGroups(rule, choice));
}

function isInVersion({ since, until }: DeclaredOptions, { version }: Choice): boolean {
  if (version === undefined) return true;
  return (!since || version >= since) && (!until || version < until);
}

function isInGroups({ groups }: DeclaredOptions, choice: Choice): boolean {
  if (!choice.groups?.length) return !groups?.length;
  return !groups || choice.groups.some((group) => groups.includes(group));
}

function hasPrefix(key: string, prefixes: readonly string[] | undefined): boolean {
  return prefixes?.some((prefix) => key.startsWith(prefix)) ?? false;
}

function propertyOf({ property }: { readonly property: string }): string {
  return property;
}
