import { keptIn } from '../values';
import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { isGiven, ownTestOf } from './own-rule';
import { builtinOf, copyOf, isOptional } from './recognise';
import { storageOfLine } from './storage-of-line';

/** The choice of rules, with class-validator's options under the same names. */
export interface RuleChoice {
  readonly groups?: readonly string[] | undefined;
  readonly always?: boolean | undefined;
  readonly strictGroups?: boolean | undefined;
}

/** A property rule. */
export interface ValueRule {
  readonly declared: ValidationMetadata;
  /** The decorator's arguments as they were at the first read, before a validator could change them. */
  readonly constraints: readonly unknown[];
  /**
   * The validators, usually a single validator. The list is empty for a class that lacks `@ValidatorConstraint`, which validates
   * nothing.
   */
  readonly validators: readonly ConstraintMetadata[];
  /** The decorator's name, such as `IsInt`, if it certainly belongs to class-validator. */
  readonly builtin: string | undefined;
  /** The test to call directly, if the rule was declared by `ownRule`. */
  readonly ownTest: ((value: unknown) => boolean) | undefined;
  /** The source of the rule's own message, if the rule is built in or declared by `ownRule`. */
  readonly messageSource: MessageSource | undefined;
}

/** The part of a validator that returns its message. */
export interface MessageSource {
  defaultMessage?(args: ValidationArguments): string;
}

/** All rules for a property, in class-validator's order. */
export interface PropertyRules {
  readonly name: string;
  /** The `IsDefined` rules, which run even if the property is skipped. */
  readonly defined: readonly ValueRule[];
  readonly leaves: readonly ValueRule[];
  readonly conditions: readonly ValidationMetadata[];
  /** Whether the conditions skip exactly `null` and `undefined`, like `IsOptional`. */
  readonly isOptional: boolean;
  /** Whether the conditions skip exactly `undefined`, like `isGiven`. */
  readonly isIfGiven: boolean;
  readonly nested: readonly ValidationMetadata[];
  readonly awaitsPromise: boolean;
  /** Every rule except `IsDefined` and `Allow`, in the order of contexts. */
  readonly declared: readonly ValidationMetadata[];
}

/** The rules of a class for a group choice, read once. */
export interface RuleShape {
  readonly target: Function;
  readonly properties: readonly PropertyRules[];
  /** The names in a whitelist. They are looked up on a plain object, like in class-validator. */
  readonly byName: Readonly<Record<string, readonly unknown[] | undefined>>;
  readonly isEmpty: boolean;
}

/**
 * Reads the rules of a class. Inherited rules are resolved like in class-validator.
 *
 * @throws TypeError like class-validator: for a function without a prototype, for a property named like a member of
 * every object, and for everything after a schema was registered
 */
export function readRules(target: Function, { groups, always, strictGroups }: RuleChoice): RuleShape {
  const storage = storageOfLine(target);
  const rules = storage.getTargetValidationMetadatas(
    target,
    '',
    always || false,
    strictGroups || false,
    groups as string[] | undefined,
  );
  const byName = storage.groupByPropertyName(rules);
  return Object.freeze({
    target,
    properties: Object.freeze(Object.keys(byName).map((name) => propertyRules(name, byName[name] ?? []))),
    byName,
    isEmpty: rules.length === 0,
  });
}

function propertyRules(name: string, rules: readonly ValidationMetadata[]): PropertyRules {
  const ofType = (type: string) => rules.filter((rule) => rule.type === type);
  const conditions = ofType(ValidationTypes.CONDITIONAL_VALIDATION);
  const isKnown = conditions.every((condition) => isOptional(condition) || isIfGiven(condition));
  return {
    name,
    defined: ofType(ValidationTypes.IS_DEFINED).map(valueRule),
    leaves: ofType(ValidationTypes.CUSTOM_VALIDATION).map(valueRule),
    conditions,
    isOptional: isKnown && conditions.some(isOptional),
    isIfGiven: isKnown && conditions.length > 0 && conditions.every(isIfGiven),
    nested: ofType(ValidationTypes.NESTED_VALIDATION),
    awaitsPromise: ofType(ValidationTypes.PROMISE_VALIDATION).length > 0,
    declared: rules.filter(
      ({ type }) => type !== ValidationTypes.IS_DEFINED && type !== ValidationTypes.WHITELIST,
    ),
  };
}

function isIfGiven({ constraints }: ValidationMetadata): boolean {
  return constraints?.[0] === isGiven;
}

const firstRead = new WeakMap<ValidationMetadata, readonly unknown[]>();

function argumentsOf(declared: ValidationMetadata): readonly unknown[] {
  // Its type claims that it is never undefined.
  const constraints: unknown = declared.constraints;
  return keptIn(firstRead, declared, () => copied(Array.isArray(constraints) ? constraints : []));
}

/**
 * Copies the arguments. It returns the arguments themselves if a member cannot be copied, such as a proxy of a regular
 * expression.
 */
function copied(constraints: readonly unknown[]): readonly unknown[] {
  try {
    return copyOf(constraints) ?? [];
  } catch {
    return constraints;
  }
}

function valueRule(declared: ValidationMetadata): ValueRule {
  const validators = [...getMetadataStorage().getTargetValidatorConstraints(declared.constraintCls)];
  const [only] = validators;
  const builtin = only && validators.length === 1 ? builtinOf(declared, only) : undefined;
  const ownTest = only && validators.length === 1 ? ownTestOf(only) : undefined;
  const messageSource = (builtin || ownTest) && only ? (only.target.prototype as MessageSource) : undefined;
  return { declared, constraints: argumentsOf(declared), validators, builtin, ownTest, messageSource };
}
