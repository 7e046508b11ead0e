import type { TransformRule, TypeRule } from '../../shapes/transforms/transform-shape';
import type { ClassPlan, Content, PropertyPlan } from './plan';
import type { Planner } from './planner';

/**
 * A step from a key's value to an instance property. The code for each step is in `emit/emit-operations.ts`. All steps work on
 * the same variables: `raw`, the key's value; `type`, its class; `final`, the property's value; `made`, the instance.
 */
export type Operation =
  /** Asks for the value's class. The function is called for each value, since its result may change. */
  | { readonly kind: 'ask' }
  /** Runs steps unless class-transformer leaves the property as it is. */
  | { readonly kind: 'unlessKept'; readonly steps: readonly Operation[] }
  /** Runs steps if the key has a value; otherwise the field keeps its initial value. */
  | { readonly kind: 'ifSent'; readonly steps: readonly Operation[] }
  /** Reads a single value with a function that uses only this value; any other value takes steps, and a transform. */
  | {
      readonly kind: 'read';
      readonly reading: NonNullable<PropertyPlan['reading']>;
      readonly steps: readonly Operation[];
    }
  /** Selects the class by a field of the value. */
  | { readonly kind: 'select'; readonly rule: TypeRule }
  /** Converts the value to its class, like class-transformer. */
  | { readonly kind: 'convert'; readonly content: Content }
  /** Creates a nested instance, or a list of them. */
  | { readonly kind: 'descend'; readonly part: ClassPlan; readonly content: Content }
  /** Gives up on text that is not well-formed, and on objects. */
  | { readonly kind: 'guardSingle' }
  /** Gives up on a list, or on any value, if the class has a list kind that JSON lacks. */
  | { readonly kind: 'guardList'; readonly isAny: boolean }
  /** Converts single values and lists of single values, and gives up on the rest. */
  | { readonly kind: 'guardConvert'; readonly content: Content }
  | { readonly kind: 'transform'; readonly rule: TransformRule }
  | { readonly kind: 'assign'; readonly unlessUndefined: boolean }
  /** Tests the rules, or reports that the property has no rules. */
  | { readonly kind: 'test' };

/** The passes that a program runs in addition to the conversion. */
export interface Passes {
  readonly planner: Planner;
  /** Whether rules are tested during creation, which sets `run.failed`. */
  readonly tests: boolean;
  /** Whether to give up on input that has to be checked completely. */
  readonly isGuarded: boolean;
}

/** Lowers a property to its conversion operations, and adds hardening and early tests. */
export function operationsOf(property: PropertyPlan, plan: ClassPlan, passes: Passes): readonly Operation[] {
  const { exposeUnsetFields, exposeDefaultValues } = passes.planner.options;
  const plain = convertedBy(property, passes);
  const converted = passes.isGuarded ? withGuards(plain) : plain;
  const set: readonly Operation[] = [
    ...(exposeDefaultValues ? [{ kind: 'ifSent', steps: converted } as const] : converted),
    { kind: 'assign', unlessUndefined: !exposeUnsetFields },
    ...(passes.tests ? [{ kind: 'test' } as const] : []),
  ];
  return [
    ...askedBy(property, plan),
    ...(mayBeKept(property, plan) ? [{ kind: 'unlessKept', steps: set } as const] : set),
  ];
}

/**
 * Returns the operations that determine the class. Like class-transformer, they remove the field that selects a class even if
 * the property is then left as it is.
 */
function askedBy({ content, reading, name }: PropertyPlan, { shape }: ClassPlan): readonly Operation[] {
  if (content.isDiscriminated) return [{ kind: 'ask' }, { kind: 'select', rule: shape.typeOf.get(name)! }];
  return content.typeFunction && !reading ? [{ kind: 'ask' }] : [];
}

/**
 * Whether class-transformer may leave the property as it is. A value may have been sent under the property's own name or under a
 * further key.
 */
function mayBeKept({ key, name }: PropertyPlan, { fields, members, repeated }: ClassPlan): boolean {
  return !fields || key !== name || repeated.has(name) || members.some((member) => member.name === name);
}

function convertedBy(property: PropertyPlan, passes: Passes): readonly Operation[] {
  const { content, reading, transforms } = property;
  const part = ownPart(property, passes);
  const steps: readonly Operation[] = [
    part ? { kind: 'descend', part, content } : { kind: 'convert', content },
  ];
  if (reading) return [{ kind: 'read', reading, steps }];
  return [...steps, ...transforms.map((rule) => ({ kind: 'transform', rule }) as const)];
}

/**
 * Returns the class of a property's nested instances, if this program's functions create them and, with `tests`, also test them.
 */
function ownPart(property: PropertyPlan, { tests, planner }: Passes): ClassPlan | undefined {
  if (tests && !property.planned?.isNested) return undefined;
  const part = planner.partOf(property.content);
  return part && part.properties.length > 0 ? part : undefined;
}

/** Adds hardening: only single values, lists of single values, and nested instances are converted. */
function withGuards(steps: readonly Operation[]): readonly Operation[] {
  return steps.flatMap((step): readonly Operation[] => {
    if (step.kind === 'read') return [{ kind: 'guardSingle' }, { ...step, steps: withGuards(step.steps) }];
    if (step.kind !== 'convert') return [step];
    const { arrayType } = step.content;
    const isList = arrayType === undefined || arrayType === Array || arrayType === Object;
    return [
      ...(isList ? [] : [{ kind: 'guardList', isAny: arrayType === Map } as const]),
      { kind: 'guardConvert', content: step.content },
    ];
  });
}
