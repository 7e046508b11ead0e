import { isFunction, keptIn, unlessThrown } from '../../shapes/values';
import { readRules, type RuleShape } from '../../shapes/rules/rule-shape';
import type { ClassTransformOptions } from 'class-transformer';
import { type ClassPlan, planClass, type PropertyPlan } from './plan';
import type { Settings } from './settings';

/** Plans classes on demand, each once, for a given choice of options. */
export class Planner {
  readonly #plans = new Map<Function, ClassPlan>();
  readonly #rules = new Map<Function, RuleShape>();

  constructor(
    readonly settings: Settings,
    readonly options: ClassTransformOptions,
  ) {}

  planOf(type: Function): ClassPlan {
    return keptIn(this.#plans, type, () => planClass(type, this.settings, this.options));
  }

  /** Returns the rules of any class, even if it has no rules. */
  rulesOf(type: Function): RuleShape {
    return keptIn(this.#rules, type, () => readRules(type, this.settings));
  }

  /** Whether all rules for a class and its parts can be tested while an instance is created. */
  isTestable(plan: ClassPlan, above: readonly ClassPlan[] = []): boolean {
    if (above.includes(plan)) return true;
    return (
      !plan.isAmbiguous &&
      plan.properties.every((property) => this.#isTestableProperty(property, [...above, plan]))
    );
  }

  #isTestableProperty({ planned, content }: PropertyPlan, above: readonly ClassPlan[]): boolean {
    if (!planned?.isNested) return planned !== undefined;
    const part = this.partOf(content);
    return part !== undefined && this.isTestable(part, above);
  }

  /** Whether user code only gets single values while an instance and its parts are created. */
  hasNoUserCode(plan: ClassPlan, above: readonly ClassPlan[] = []): boolean {
    if (above.includes(plan)) return true;
    return (
      plan.hasNoUserCode &&
      plan.takesOwnKeys &&
      plan.properties.every((property) => {
        const { type } = property.content;
        if (!isFunction(type) || NATIVE.has(type)) return true;
        const part = property.rules.nested.length > 0 ? this.partOf(property.content) : undefined;
        return part !== undefined && this.hasNoUserCode(part, [...above, plan]);
      })
    );
  }

  /** Whether a class contains itself, directly or indirectly. */
  isEndless(plan: ClassPlan, above: readonly ClassPlan[] = []): boolean {
    if (above.includes(plan)) return true;
    return plan.properties.some(({ content }) => {
      const part = this.partOf(content);
      return part !== undefined && this.isEndless(part, [...above, plan]);
    });
  }

  /** Returns a property's nested class, if it is a user class and known without a value. */
  partOf({ type, isDiscriminated, arrayType }: PropertyPlan['content']): ClassPlan | undefined {
    if (!isFunction(type) || isOfLanguage(type) || isDiscriminated || arrayType === Map) return undefined;
    return unlessThrown(() => this.planOf(type));
  }
}

/** Whether class-transformer creates instances other than by their fields. For example, it puts values into a Map. */
function isOfLanguage(type: Function): boolean {
  return NATIVE.has(type) || type.prototype instanceof Map;
}

/** The classes that have no rules or fields. */
export const NATIVE: ReadonlySet<unknown> = new Set<unknown>([
  String,
  Number,
  Boolean,
  Date,
  Array,
  Object,
  Map,
  Set,
  Buffer,
  Promise,
]);
