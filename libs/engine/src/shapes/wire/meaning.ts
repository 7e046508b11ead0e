import { isFunction } from '../values';
import { declaredRules } from '../rules/scratch';

/** The JSON Schema 2020-12 keywords. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** The JSON Schema of the values that a custom rule accepts. */
export interface RuleMeaning {
  /** The accepted values, as keywords. */
  readonly keywords?: JsonSchema;
  /** Whether a condition reads only the property's value. */
  readonly looksAtValueOnly?: boolean;
}

const ruleMeanings = new WeakMap<object, RuleMeaning>();
const schemasOfClasses = new WeakMap<Function, (constraints: readonly unknown[]) => JsonSchema>();
const transformMeanings = new WeakMap<Function, JsonSchema>();

/**
 * Declares a rule together with its JSON Schema, since class-validator stores a function only.
 *
 * @param declare a decorator that declares a single rule
 */
export function withMeaning(declare: PropertyDecorator, meaning: RuleMeaning): PropertyDecorator {
  return (target, property) => {
    declare(target, property);
    const declared = declaredRules(target.constructor).at(-1);
    if (!declared) return;
    ruleMeanings.set(declared, meaning);
    const test = testOf(declared);
    if (test) ruleMeanings.set(test, meaning);
  };
}

/**
 * Declares the JSON Schema for a rule class with `@ValidatorConstraint()`:
 *
 * ```ts
 * @RuleSchema(([length]: [number]) => ({ type: 'string', pattern: `^[0-9A-F]{${length}}$` }))
 * @ValidatorConstraint()
 * class IsHex implements ValidatorConstraintInterface {}
 * ```
 *
 * It does not change which values are accepted. The keywords must allow exactly the values that `validate` accepts; with `each`,
 * they describe a single element.
 *
 * @param keywords the keywords for the accepted values, or a function of the constraints in `@Validate(IsHex, [8])`
 */
export function RuleSchema<Constraints extends readonly unknown[]>(
  keywords: JsonSchema | ((constraints: Constraints) => JsonSchema),
): ClassDecorator {
  const schema = (constraints: readonly unknown[]) =>
    isFunction(keywords) ? keywords(constraints as Constraints) : keywords;
  return (rule) => void schemasOfClasses.set(rule, schema);
}

/**
 * Returns the schema that {@link withMeaning} or {@link RuleSchema} declared for a rule, looked up by class-validator's rule
 * record.
 */
export function meaningOf(declared: DeclaredRule): RuleMeaning | undefined {
  const test = testOf(declared);
  return ruleMeanings.get(declared) ?? meaningOfClass(declared) ?? (test && ruleMeanings.get(test));
}

/**
 * Returns the function that a rule record shares with its copies, because `PartialType` of `@nestjs/mapped-types` copies the
 * rules.
 */
function testOf({ constraintCls, constraints }: DeclaredRule): object | undefined {
  const test: unknown = constraintCls ?? constraints?.[0];
  return isFunction(test) ? test : undefined;
}

/** Matches the condition of `PartialType(…, { skipNullProperties: false })`. */
const isDefined = /^\(\w+, (\w+)\) => \1 !== undefined$/;

/** Whether a condition, apart from `IsOptional`, reads only the value of its property. */
export function looksAtValueOnly(condition: DeclaredRule): boolean {
  return (
    meaningOf(condition)?.looksAtValueOnly === true || isDefined.test(String(condition.constraints?.[0]))
  );
}

/** The members that are read from class-validator's rule record. */
interface DeclaredRule {
  readonly constraintCls?: Function;
  readonly constraints?: readonly unknown[] | undefined;
}

function meaningOfClass({ constraintCls, constraints }: DeclaredRule): RuleMeaning | undefined {
  const schema = constraintCls && schemasOfClasses.get(constraintCls);
  return schema && { keywords: schema(constraints ?? []) };
}

/**
 * Declares which values a custom `@Transform` function accepts (`toClassOnly`) or returns (`toPlainOnly`).
 *
 * @returns the function
 */
export function transformMeaning<F extends Function>(transform: F, keywords: JsonSchema): F {
  transformMeanings.set(transform, keywords);
  return transform;
}

/** Returns the schema that {@link transformMeaning} declared for a function. */
export function meaningOfTransform(transform: Function): JsonSchema | undefined {
  return transformMeanings.get(transform);
}
