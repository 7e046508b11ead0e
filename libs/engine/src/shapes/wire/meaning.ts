import { declaredRules } from '../rules/scratch';

/** Keywords of JSON Schema 2020-12. */
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

/** What a custom rule accepts, in JSON Schema. */
export interface RuleMeaning {
  /** The accepted values, in keywords. */
  readonly keywords?: JsonSchema;
  /** For a condition: it reads the property's value only. */
  readonly looksAtValueOnly?: boolean;
}

const ruleMeanings = new WeakMap<object, RuleMeaning>();
const schemasOfClasses = new WeakMap<Function, (constraints: readonly unknown[]) => JsonSchema>();
const transformMeanings = new WeakMap<Function, JsonSchema>();

/**
 * Declares a rule together with its JSON Schema, since class-validator stores a function only.
 *
 * @param declare a decorator that declares exactly one rule
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
 * Declares the JSON Schema of a rule that is a class, as `@ValidatorConstraint()` has it:
 *
 * ```ts
 * @RuleSchema(([length]: [number]) => ({ type: 'string', pattern: `^[0-9A-F]{${length}}$` }))
 * @ValidatorConstraint()
 * class IsHex implements ValidatorConstraintInterface {}
 * ```
 *
 * It does not change what is accepted: the keywords are to allow exactly what `validate` accepts, of one element with `each`.
 *
 * @param keywords of the accepted values, or a function of the constraints in `@Validate(IsHex, [8])`
 */
export function RuleSchema<Constraints extends readonly unknown[]>(
  keywords: JsonSchema | ((constraints: Constraints) => JsonSchema),
): ClassDecorator {
  const schema = (constraints: readonly unknown[]) =>
    typeof keywords === 'function' ? keywords(constraints as Constraints) : keywords;
  return (rule) => void schemasOfClasses.set(rule, schema);
}

/** The schema that {@link withMeaning} or {@link RuleSchema} declared for a rule, by class-validator's record of it. */
export function meaningOf(declared: DeclaredRule): RuleMeaning | undefined {
  const test = testOf(declared);
  return ruleMeanings.get(declared) ?? meaningOfClass(declared) ?? (test && ruleMeanings.get(test));
}

/** What a copy of the record has in common with it: `PartialType` of `@nestjs/mapped-types` copies the rules of a class. */
function testOf({ constraintCls, constraints }: DeclaredRule): object | undefined {
  const test: unknown = constraintCls ?? constraints?.[0];
  return typeof test === 'function' ? test : undefined;
}

/** The condition of `PartialType(…, { skipNullProperties: false })`. */
const isDefined = /^\(\w+, (\w+)\) => \1 !== undefined$/;

/** Whether a condition other than that of `IsOptional` reads the value of its property alone. */
export function looksAtValueOnly(condition: DeclaredRule): boolean {
  return (
    meaningOf(condition)?.looksAtValueOnly === true || isDefined.test(String(condition.constraints?.[0]))
  );
}

/** The part of class-validator's record of a rule that is read. */
interface DeclaredRule {
  readonly constraintCls?: Function;
  readonly constraints?: readonly unknown[] | undefined;
}

function meaningOfClass({ constraintCls, constraints }: DeclaredRule): RuleMeaning | undefined {
  const schema = constraintCls && schemasOfClasses.get(constraintCls);
  return schema && { keywords: schema(constraints ?? []) };
}

/**
 * Declares what a custom `@Transform` function accepts (`toClassOnly`) or returns (`toPlainOnly`).
 *
 * @returns the function
 */
export function transformMeaning<F extends Function>(transform: F, keywords: JsonSchema): F {
  transformMeanings.set(transform, keywords);
  return transform;
}

/** The schema that {@link transformMeaning} declared for a function. */
export function meaningOfTransform(transform: Function): JsonSchema | undefined {
  return transformMeanings.get(transform);
}
