import { type PropertyRules, readRules, type ValueRule } from '../../shapes/rules/rule-shape';
import { nameOfClass } from '../../shapes/named';
import { readTransforms } from '../../shapes/transforms/transform-shape';
import { compileTest } from '../built-in-rules/rules';
import type { Engine } from './engine';
import { NATIVE } from '../plan/planner';
import { type CompileOptions, readSettings } from '../plan/settings';

/** Explains how a class is validated, and why. */
export interface Explanation {
  /**
   * The way in which a class is validated:
   *
   * - `code`: generated functions create and validate its instances, and call user code, if present;
   * - `library`: the libraries do that, or create its instances.
   */
  readonly how: 'code' | 'library';
  /** The reason why it is not `code`. */
  readonly why: string | undefined;
  /** The generated source. */
  readonly source: string | undefined;
  readonly rules: readonly RuleNote[];
}

/** Explains how a rule is run. */
export interface RuleNote {
  /** The property, such as `CreateOrder.items`. */
  readonly property: string;
  /** The name of the decorator or the custom rule. */
  readonly rule: string;
  readonly how: 'written out' | 'called directly' | 'called as by the library';
  readonly why: string | undefined;
}

/** Explains how a class is validated. */
export function explainClass(type: Function, options: CompileOptions, engine: Engine | string): Explanation {
  if (typeof engine === 'string') return { how: 'library', why: engine, source: undefined, rules: [] };
  try {
    const why = engine.whyLibraryMakes ?? readTransforms(type).leftToLibrary;
    const rules = explainRules(type, options);
    return { how: why ? 'library' : 'code', why, source: engine.sourceOf(type), rules };
  } catch (error) {
    // Its decorators cannot be read: the library throws the same error at each validation.
    return { how: 'library', why: String(error), source: undefined, rules: [] };
  }
}

/** Explains how every rule for a class and its parts is run. */
export function explainRules(
  type: Function,
  options: CompileOptions,
  seen = new Set<Function>(),
): RuleNote[] {
  if (seen.has(type)) return [];
  seen.add(type);
  const notes = readRules(type, readSettings(options)).properties.flatMap((rules) => notesOf(type, rules));
  return [...notes, ...partsOf(type).flatMap((part) => explainRules(part, options, seen))];
}

function notesOf(
  type: Function,
  { name, defined, leaves, conditions, nested, isOptional, isIfGiven }: PropertyRules,
): RuleNote[] {
  const property = `${nameOfClass(type)}.${name}`;
  const written = (rule: string): RuleNote => ({ property, rule, how: 'written out', why: undefined });
  const isWritten = isOptional || isIfGiven;
  const condition: RuleNote = isWritten
    ? written(isOptional ? 'IsOptional' : 'isGiven')
    : { property, rule: 'ValidateIf', how: 'called as by the library', why: 'a condition of one’s own' };
  return [
    ...(conditions.length > 0 ? [condition] : []),
    ...[...defined, ...leaves].map((rule) => noteOf(property, rule)),
    ...nested.map(() => written('ValidateNested')),
  ];
}

function noteOf(property: string, rule: ValueRule): RuleNote {
  const known = compileTest(rule);
  const name = rule.builtin ?? rule.declared.name ?? rule.validators[0]?.name ?? 'unnamed';
  if (known) return { property, rule: name, how: known.how, why: undefined };
  const why = rule.builtin
    ? 'not proven for these arguments'
    : 'not known for certain to be the library’s own';
  return { property, rule: name, how: 'called as by the library', why };
}

/** Returns the part classes, as far as they are known without a value. */
function partsOf(type: Function): Function[] {
  return [...readTransforms(type).typeOf.values()].flatMap(({ typeFunction }) => {
    if (!typeFunction || typeFunction.length > 0) return [];
    const part: unknown = askedFor(typeFunction);
    return typeof part === 'function' && !NATIVE.has(part) ? [part] : [];
  });
}

function askedFor(typeFunction: () => unknown): unknown {
  try {
    return typeFunction();
  } catch {
    return undefined;
  }
}
