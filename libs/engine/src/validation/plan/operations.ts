import type { TransformRule, TypeRule } from '../../shapes/transforms/transform-shape';
import type { ClassPlan, Content, PropertyPlan } from './plan';
import type { Planner } from './planner';

/**
 * One step from the value of a key to the property of an instance. The code of each is in `emit/emit-operations.ts`; all
 * work on the same variables: `raw`, the value of the key; `type`, its class; `final`, the value of the property; `made`,
 * the instance.
 */
export type Operation =
  /** Asks for the class of the value: the function is called for each, since its result may change. */
  | { readonly kind: 'ask' }
  /** Runs steps unless class-transformer leaves the property as it is. */
  | { readonly kind: 'unlessKept'; readonly steps: readonly Operation[] }
  /** Runs steps if the key has a value; the initial value of the field is the property otherwise. */
  | { readonly kind: 'ifSent'; readonly steps: readonly Operation[] }
  /** Reads a single value by a function of it alone; any other takes steps, and a transform. */
  | {
      readonly kind: 'read';
      readonly reading: NonNullable<PropertyPlan['reading']>;
      readonly steps: readonly Operation[];
    }
  /** Selects the class by a field of the value. */
  | { readonly kind: 'select'; readonly rule: TypeRule }
  /** Converts the value to its class as class-transformer does. */
  | { readonly kind: 'convert'; readonly content: Content }
  /** Creates a nested instance, or a list of them. */
  | { readonly kind: 'descend'; readonly part: ClassPlan; readonly content: Content }
  /** Gives up on text that is not well-formed, and on objects. */
  | { readonly kind: 'guardSingle' }
  /** Gives up on a list, or on any value, for which the class has a kind of list that JSON has not. */
  | { readonly kind: 'guardList'; readonly isAny: boolean }
  /** Converts single values and lists of them, and gives up on others. */
  | { readonly kind: 'guardConvert'; readonly content: Content }
  | { readonly kind: 'transform'; readonly rule: TransformRule }
  | { readonly kind: 'assign'; readonly unlessUndefined: boolean }
  /** Tests the rules, or says that the property has none. */
  | { readonly kind: 'test' };

/** What a program does besides the conversion. */
export interface Passes {
  readonly planner: Planner;
  /** Whether rules are tested during creation, which sets `run.failed`. */
  readonly tests: boolean;
  /** Whether to give up on input that requires a check as a whole. */
  readonly isGuarded: boolean;
}

/** Lowers a property to operations: those of its conversion, to which hardening and early tests are added. */
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

/** As in class-transformer, the field that selects a class is removed also if the property is then left as it is. */
function askedBy({ content, reading, name }: PropertyPlan, { shape }: ClassPlan): readonly Operation[] {
  if (content.isDiscriminated) return [{ kind: 'ask' }, { kind: 'select', rule: shape.typeOf.get(name)! }];
  return content.typeFunction && !reading ? [{ kind: 'ask' }] : [];
}

/** One can have been sent under the own name of a property, or under another one of its keys. */
function mayBeKept({ key, name }: PropertyPlan, { fields, members, repeated }: ClassPlan): boolean {
  return !fields || key !== name || repeated.has(name) || members.some((one) => one.name === name);
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

/** The class of a property's nested instances, if functions of this program create them, and test them with `tests`. */
function ownPart(property: PropertyPlan, { tests, planner }: Passes): ClassPlan | undefined {
  if (tests && !property.known?.isNested) return undefined;
  const part = planner.partOf(property.content);
  return part && part.properties.length > 0 ? part : undefined;
}

/** Hardening: nothing but single values, lists of them, and nested instances is converted. */
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
