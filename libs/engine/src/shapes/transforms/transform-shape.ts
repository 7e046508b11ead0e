import {
  type Declared,
  type DeclaredTransform,
  type DeclaredOptions,
  type DeclaredType,
  type Discriminator,
  declaredTransforms,
  declaredTypes,
  storage,
  transformsGeneration,
} from './storage';
import { type IsUnchanged, watchOptions } from './unchanged';

/** An `@Expose` declaration for a property. */
export interface ExposeRule extends DeclaredOptions {
  readonly property: string;
}

/** An `@Exclude` declaration for a property. */
export interface ExcludeRule extends DeclaredOptions {
  readonly property: string;
}

/** A `@Transform` declaration for a property. */
export interface TransformRule extends DeclaredOptions {
  readonly transform: (params: unknown) => unknown;
  /** The `this` that class-transformer's call uses. */
  readonly declared: DeclaredTransform;
}

/** The `@Type` of a property. */
export interface TypeRule {
  /** The type function; absent if there is only the compiler's metadata. */
  readonly typeFunction?: (help?: unknown) => unknown;
  /**
   * The declaration itself, because its function is called as a method. With a discriminator, class-transformer uses it as a
   * list's type.
   */
  readonly rule: DeclaredType;
  /** The `design:type` from the compiler's metadata. */
  readonly reflectedType?: unknown;
  readonly discriminator: Discriminator | undefined;
  readonly keepDiscriminatorProperty: boolean;
}

/**
 * The properties that a class sends by default: all (`exposeAll`), the exposed properties (`excludeAll`), or by the options
 * (`none`).
 */
export type Strategy = 'none' | 'exposeAll' | 'excludeAll';

/**
 * The class-transformer metadata for a class and its ancestors, read once and frozen. Every list has the order in which
 * class-transformer processes it.
 */
export interface TransformShape {
  readonly target: Function;
  /** The strategy of the class itself, because class-transformer does not inherit it. */
  readonly strategy: Strategy;
  /** The strategy for the class or its nearest ancestor with a strategy. */
  readonly inheritedStrategy: Strategy;
  /** Every `@Expose` declaration, ancestors first, nearest ancestor first; a property may occur twice. */
  readonly exposed: readonly ExposeRule[];
  readonly excluded: readonly ExcludeRule[];
  /** The nearest `@Expose` per property. Its name, groups and versions apply. */
  readonly exposeOf: ReadonlyMap<string, ExposeRule>;
  readonly typeOf: ReadonlyMap<string, TypeRule>;
  /** The transforms in the order in which they run: ancestors first, and for each class from the bottom decorator up. */
  readonly transformsOf: ReadonlyMap<string, readonly TransformRule[]>;
  /**
   * Whether the decorator options are unchanged; if they changed, all shapes become outdated. `undefined` if there are no
   * options.
   */
  readonly isUnchanged: IsUnchanged | undefined;
  /** The reason why only the library converts values, if decorator options throw when read, or a name is not a string. */
  readonly leftToLibrary: string | undefined;
}

let shapes = new WeakMap<Function, TransformShape>();
let generation = -1;

/**
 * Reads the metadata that class-transformer has stored about a class. It is read once, until a decorator runs later.
 *
 * @throws TypeError for a function without a prototype, which is not a class, like class-transformer
 */
export function readTransforms(target: Function): TransformShape {
  if (generation !== transformsGeneration()) shapes = new WeakMap();
  generation = transformsGeneration();
  const shape = shapes.get(target) ?? readShape(target);
  // Without a class, nothing is declared.
  if (target as Function | undefined) shapes.set(target, shape);
  return shape;
}

function readShape(target: Function): TransformShape {
  const strategies = { strategy: storage.getStrategy(target), inheritedStrategy: strategyOfLine(target) };
  try {
    const declarations = readDeclarations(target);
    const odd = declarations.exposed.find(({ property, name }) =>
      [property, name || property].some((text) => typeof text !== 'string'),
    );
    const leftToLibrary = odd && `@Expose of ${String(odd.property)} has a name that is not a text`;
    return Object.freeze({ ...declarations, ...strategies, target, leftToLibrary });
  } catch (error) {
    if ((target as Function | undefined)?.prototype === undefined) throw error;
    return Object.freeze({
      ...NOTHING,
      ...strategies,
      target,
      leftToLibrary: 'options of a decorator throw when they are read',
    });
  }
}

const NOTHING = {
  exposed: [],
  excluded: [],
  exposeOf: new Map(),
  typeOf: new Map(),
  transformsOf: new Map(),
  isUnchanged: undefined,
};

function readDeclarations(target: Function) {
  const [exposes, excludes] = [storage.getExposedMetadatas(target), storage.getExcludedMetadatas(target)];
  const exposed = exposes.map(toRule);
  const transforming = namesIn(declaredTransforms, target);
  const transforms = transforming.flatMap((name) => storage.findMetadatas(declaredTransforms, target, name));
  return {
    exposed: Object.freeze(exposed),
    excluded: Object.freeze(excludes.map(toRule)),
    exposeOf: mapOf(unique(exposed.map(({ property }) => property)), (name) =>
      toRule(storage.findExposeMetadata(target, name)),
    ),
    typeOf: mapOf(namesIn(declaredTypes, target), (name) => typeRule(target, name)),
    transformsOf: mapOf(transforming, (name) => transformRules(target, name)),
    isUnchanged: watchOptions([...exposes, ...excludes, ...transforms].map(({ options }) => options)),
  };
}

function strategyOfLine(target: Function): Strategy {
  const line = [target, ...storage.getAncestors(target)];
  return (
    line.map((ancestor) => storage.getStrategy(ancestor)).find((strategy) => strategy !== 'none') ?? 'none'
  );
}

function toRule(declared: Declared): ExposeRule {
  return Object.freeze({ ...copied(declared.options), property: declared.propertyName });
}

function copied(options: DeclaredOptions | undefined): DeclaredOptions {
  if (!options) return {};
  const groups = Array.isArray(options.groups) ? Object.freeze([...options.groups]) : options.groups;
  return { ...options, groups };
}

function typeRule(target: Function, property: string): TypeRule {
  const rule = storage.findTypeMetadata(target, property)!;
  const discriminator: Discriminator | undefined = rule.options?.discriminator;
  return Object.freeze({
    ...rule,
    rule,
    discriminator: discriminator?.property && discriminator.subTypes ? discriminator : undefined,
    keepDiscriminatorProperty: Boolean(rule.options?.keepDiscriminatorProperty),
  });
}

function transformRules(target: Function, property: string): readonly TransformRule[] {
  const declared = storage.findMetadatas(declaredTransforms, target, property);
  return Object.freeze(declared.map(transformRule));
}

function transformRule(declared: DeclaredTransform): TransformRule {
  return Object.freeze({ ...copied(declared.options), transform: declared.transformFn, declared });
}

function namesIn(book: typeof declaredTypes | typeof declaredTransforms, target: Function) {
  const line = [target, ...storage.getAncestors(target)];
  return unique(line.flatMap((ancestor) => [...(book.get(ancestor)?.keys() ?? [])]));
}

function unique(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names)].filter((name) => name !== undefined);
}

function mapOf<Value>(names: readonly string[], read: (name: string) => Value): ReadonlyMap<string, Value> {
  return new Map(names.map((name) => [name, read(name)]));
}
