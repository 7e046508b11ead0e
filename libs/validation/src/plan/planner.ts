import { readRules, type RuleShape } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import { type ClassPlan, planClass, type PropertyPlan } from './plan';
import type { Settings } from './settings';

/** Plans classes on demand, each once, for one choice of options. */
export class Planner {
  private readonly plans = new Map<Function, ClassPlan>();
  private readonly rules = new Map<Function, RuleShape>();

  constructor(
    readonly settings: Settings,
    readonly options: ClassTransformOptions,
  ) {}

  planOf(type: Function): ClassPlan {
    const known = this.plans.get(type);
    if (known) return known;
    const plan = planClass(type, this.settings, this.options);
    this.plans.set(type, plan);
    return plan;
  }

  /** The rules of any class, which may have none. */
  rulesOf(type: Function): RuleShape {
    const known = this.rules.get(type);
    if (known) return known;
    const rules = readRules(type, this.settings);
    this.rules.set(type, rules);
    return rules;
  }

  /** Whether all rules of a property and of its nested class can be tested while the instance is created. */
  isTried(property: PropertyPlan, above: readonly ClassPlan[] = []): boolean {
    if (!property.known) return false;
    if (!property.known.isNested) return true;
    const part = this.partOf(property.content);
    if (!part || part.isDoubted) return false;
    return above.includes(part) || part.properties.every((one) => this.isTried(one, [...above, part]));
  }

  /** Whether no code of a user gets more than single values while an instance and its parts are created. */
  isQuiet(plan: ClassPlan, above: readonly ClassPlan[] = []): boolean {
    if (above.includes(plan)) return true;
    return (
      plan.isQuiet &&
      plan.takesOwnKeys &&
      plan.properties.every((property) => {
        const { type } = property.content;
        if (typeof type !== 'function' || NATIVE.has(type)) return true;
        const part =
          property.known?.isNested && this.isTried(property) ? this.partOf(property.content) : undefined;
        return part !== undefined && this.isQuiet(part, [...above, plan]);
      })
    );
  }

  /** Whether a class contains itself, directly or indirectly. */
  isEndless(plan: ClassPlan, above: readonly ClassPlan[] = []): boolean {
    if (above.includes(plan)) return true;
    return plan.properties.some((property) => {
      const part = property.known?.isNested ? this.partOf(property.content) : undefined;
      return part !== undefined && this.isEndless(part, [...above, plan]);
    });
  }

  /** The nested class of a property, if it is a user's class and known without a value. */
  partOf({ type, isDiscriminated, arrayType }: PropertyPlan['content']): ClassPlan | undefined {
    if (typeof type !== 'function' || NATIVE.has(type) || isDiscriminated || arrayType === Map)
      return undefined;
    try {
      return this.planOf(type);
    } catch {
      return undefined;
    }
  }
}

/** Classes without rules or fields of their own. */
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
