import { declaredRules } from '../rules/scratch';

/** Keywords of JSON Schema 2020-12. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
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

/** What a rule of our own asks of JSON, for those who only see its function. */
export interface RuleMeaning {
  /** What passes, in keywords. */
  readonly keywords?: JsonSchema;
  /** Of a condition: it looks at the property's value and at nothing else. */
  readonly looksAtValueOnly?: boolean;
}

const ruleMeanings = new WeakMap<object, RuleMeaning>();
const transformMeanings = new WeakMap<Function, JsonSchema>();

/**
 * Declares a rule, and says what it means in JSON Schema: class-validator keeps a function, which tells nobody.
 *
 * @param declare a decorator that declares exactly one rule
 */
export function withMeaning(declare: PropertyDecorator, meaning: RuleMeaning): PropertyDecorator {
  return (target, property) => {
    declare(target, property);
    const declared = declaredRules(target.constructor).at(-1);
    if (declared) ruleMeanings.set(declared, meaning);
  };
}

/** What {@link withMeaning} said of a rule, by the record that class-validator keeps of it. */
export function meaningOf(declared: object): RuleMeaning | undefined {
  return ruleMeanings.get(declared);
}

/**
 * Says what a `@Transform` function of our own takes from JSON (`toClassOnly`) or leaves in it (`toPlainOnly`).
 *
 * @returns the function
 */
export function transformMeaning<F extends Function>(transform: F, keywords: JsonSchema): F {
  transformMeanings.set(transform, keywords);
  return transform;
}

/** What {@link transformMeaning} said of a function. */
export function meaningOfTransform(transform: Function): JsonSchema | undefined {
  return transformMeanings.get(transform);
}
