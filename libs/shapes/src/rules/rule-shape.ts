import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { isGiven, ownTestOf } from './own-rule';
import { builtinOf, isOptional } from './recognise';

/** Which rules count: class-validator's options of the same names. */
export interface RuleChoice {
  readonly groups?: readonly string[] | undefined;
  readonly always?: boolean | undefined;
  readonly strictGroups?: boolean | undefined;
}

/** What one decorator asks of a property. */
export interface ValueRule {
  readonly declared: ValidationMetadata;
  /** One, as a rule. None for a class that forgot `@ValidatorConstraint`, and then nothing is asked. */
  readonly validators: readonly ConstraintMetadata[];
  /** The decorator's name when it is, for certain, one of class-validator's own: `IsInt`. */
  readonly builtin: string | undefined;
  /** What answers in its place, when it was declared by `ownRule`. */
  readonly ownTest: ((value: unknown) => boolean) | undefined;
  /** What says the message that the rule itself has, when it is one of these two. */
  readonly speaker: Speaker | undefined;
}

/** A validator's voice. */
export interface Speaker {
  defaultMessage?(given: ValidationArguments): string;
}

/** All that counts for one property, in class-validator's order. */
export interface PropertyRules {
  readonly name: string;
  /** `IsDefined`, which runs whatever is skipped. */
  readonly defined: readonly ValueRule[];
  readonly leaves: readonly ValueRule[];
  readonly conditions: readonly ValidationMetadata[];
  /** Whether the conditions leave `null` and `undefined` out, and nothing else: `IsOptional`. */
  readonly isOptional: boolean;
  /** Whether the conditions leave `undefined` out, and nothing else: `isGiven`. */
  readonly isIfGiven: boolean;
  readonly nested: readonly ValidationMetadata[];
  readonly awaitsPromise: boolean;
  /** Every rule but `IsDefined` and `Allow`: the order in which contexts are given. */
  readonly declared: readonly ValidationMetadata[];
}

/** What was declared about a class with class-validator, for one choice of groups, read once. */
export interface RuleShape {
  readonly target: Function;
  readonly properties: readonly PropertyRules[];
  /** The names a whitelist knows, found as class-validator finds them: on a plain object. */
  readonly known: Readonly<Record<string, readonly unknown[] | undefined>>;
  readonly isEmpty: boolean;
}

/**
 * Reads the rules of a class, inherited ones as class-validator resolves them.
 *
 * @throws TypeError where class-validator does: for what has no prototype, for a property named like a member of every
 *   object, and for everything once a schema was registered
 */
export function readRules(target: Function, { groups, always, strictGroups }: RuleChoice): RuleShape {
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(
    target,
    '',
    always || false,
    strictGroups || false,
    groups as string[] | undefined,
  );
  const known = storage.groupByPropertyName(rules);
  return Object.freeze({
    target,
    properties: Object.freeze(Object.keys(known).map((name) => propertyRules(name, known[name] ?? []))),
    known,
    isEmpty: rules.length === 0,
  });
}

function propertyRules(name: string, rules: readonly ValidationMetadata[]): PropertyRules {
  const ofType = (type: string) => rules.filter((rule) => rule.type === type);
  const conditions = ofType(ValidationTypes.CONDITIONAL_VALIDATION);
  const isKnown = conditions.every((condition) => isOptional(condition) || isIfGiven(condition));
  return Object.freeze({
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
  });
}

function isIfGiven({ constraints }: ValidationMetadata): boolean {
  return constraints?.[0] === isGiven;
}

function valueRule(declared: ValidationMetadata): ValueRule {
  const validators = [...getMetadataStorage().getTargetValidatorConstraints(declared.constraintCls)];
  const [only] = validators;
  const builtin = only && validators.length === 1 ? builtinOf(declared, only) : undefined;
  const ownTest = only && validators.length === 1 ? ownTestOf(only) : undefined;
  const speaker = (builtin || ownTest) && only ? new (only.target as new () => Speaker)() : undefined;
  return Object.freeze({ declared, validators: Object.freeze(validators), builtin, ownTest, speaker });
}
