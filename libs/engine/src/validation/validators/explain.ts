import { isFunction } from '../../shapes/values';
import type { PropertyRules, ValueRule } from '../../shapes/rules/rule-shape';
import { nameOfClass } from '../../shapes/named';
import { readTransforms } from '../../shapes/transforms/transform-shape';
import { compileTest } from '../built-in-rules/rules';
import type { Engine } from './engine';
import type { ClassPlan } from '../plan/plan';
import { NATIVE, type Planner } from '../plan/planner';
import { whyInstance } from '../plan/why-instance';

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
  /** The option, class or member for which `instance: false` creates an instance nevertheless; `undefined` if it creates none. */
  readonly whyInstance: string | undefined;
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
export function explainClass(type: Function, engine: Engine | string): Explanation {
  if (typeof engine === 'string') return explainLibrary(engine);
  try {
    const why = engine.whyLibraryMakes ?? readTransforms(type).leftToLibrary;
    const rules = explainRules(type, engine.planner);
    return {
      how: why ? 'library' : 'code',
      why,
      whyInstance: whyCreated(type, engine),
      source: engine.sourceOf(type),
      rules,
    };
  } catch (error) {
    // Its decorators cannot be read: the library throws the same error at each validation.
    return explainLibrary(String(error));
  }
}

function explainLibrary(why: string): Explanation {
  return { how: 'library', why, whyInstance: why, source: undefined, rules: [] };
}

/** Returns the option, class or member for which an instance is created, or `undefined` if its creation cannot be observed. */
export function whyCreated(
  type: Function,
  { options, planner, whyLibraryMakes }: Engine,
): string | undefined {
  if (options.hardened) return 'hardened';
  return whyLibraryMakes ?? whyInstance(planner.planOf(type), planner);
}

/** Explains how every rule for a class and its parts is run. */
function explainRules(type: Function, planner: Planner, seen = new Set<Function>()): RuleNote[] {
  if (seen.has(type)) return [];
  seen.add(type);
  const notes = planner.rulesOf(type).properties.flatMap((rules) => notesOf(type, rules));
  return [...notes, ...partsOf(planner.planOf(type)).flatMap((part) => explainRules(part, planner, seen))];
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
  const test = compileTest(rule);
  const name = rule.builtin ?? rule.declared.name ?? rule.validators[0]?.name ?? 'unnamed';
  if (test) return { property, rule: name, how: test.how, why: undefined };
  const why = rule.builtin
    ? 'not proven for these arguments'
    : 'not known for certain to be the library’s own';
  return { property, rule: name, how: 'called as by the library', why };
}

/** Returns the nested classes, as far as they are known without a value. */
function partsOf({ properties }: ClassPlan): Function[] {
  return properties.flatMap(({ content: { type } }) => (isFunction(type) && !NATIVE.has(type) ? [type] : []));
}
