import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { builtinOf, isOptional } from './recognise';

/** Which rules count: class-validator's options of the same names. */
export interface RuleChoice {
  readonly groups?: readonly string[] | undefined;
  readonly always?: boolean | undefined;
  readonly strictGroups?: boolean | undefined;
}

/** What one decorator asks of a property. */
export interface LeafRule {
  readonly declared: ValidationMetadata;
  /** One, as a rule. None for a class that forgot `@ValidatorConstraint`, and then nothing is asked. */
  readonly validators: readonly ConstraintMetadata[];
  /** The decorator's name when it is, for certain, one of class-validator's own: `IsInt`. */
  readonly builtin: string | undefined;
  /** What says the library's own message, when it is one of the library's own. */
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
  readonly defined: readonly LeafRule[];
  readonly leaves: readonly LeafRule[];
  readonly conditions: readonly ValidationMetadata[];
  /** Whether every condition is `IsOptional`. */
  readonly isOptional: boolean;
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
  return Object.freeze({
    name,
    defined: ofType(ValidationTypes.IS_DEFINED).map(leafRule),
    leaves: ofType(ValidationTypes.CUSTOM_VALIDATION).map(leafRule),
    conditions,
    isOptional: conditions.length > 0 && conditions.every(isOptional),
    nested: ofType(ValidationTypes.NESTED_VALIDATION),
    awaitsPromise: ofType(ValidationTypes.PROMISE_VALIDATION).length > 0,
    declared: rules.filter(
      ({ type }) => type !== ValidationTypes.IS_DEFINED && type !== ValidationTypes.WHITELIST,
    ),
  });
}

function leafRule(declared: ValidationMetadata): LeafRule {
  const validators = [...getMetadataStorage().getTargetValidatorConstraints(declared.constraintCls)];
  const [only] = validators;
  const builtin = only && validators.length === 1 ? builtinOf(declared, only) : undefined;
  const speaker = builtin && only ? new (only.target as new () => Speaker)() : undefined;
  return Object.freeze({ declared, validators: Object.freeze(validators), builtin, speaker });
}
