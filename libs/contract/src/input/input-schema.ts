import 'reflect-metadata';
import { acceptedFrom } from '../audiences/accept';
import { withAudiences } from '../audiences/describe-audiences';
import {
  type JsonSchema,
  type KeySelection,
  looksAtValueOnly,
  meaningOfTransform,
  type PropertyRules,
  readRules,
  readTransforms,
  type RuleShape,
  selectKeys,
  selectTransforms,
  type TransformShape,
  wireName,
} from '@app/engine';
import { plainToInstance } from 'class-transformer';
import { type DescribeMember, withTexts } from '../descriptions';
import { inputVariants } from './input-variants';
import { classesByName, type InputVariant } from './variant';
import { butNotNull, combine, orNull } from './combine';
import { requiresList, ruleSchemas, passes } from './rule-schema';
import { schemaOf } from '../schema';

/** An input's class. */
export type InputType = new () => object;

/**
 * Makes the schema for a nested class; usually a reference.
 *
 * @param variant set if several classes are possible
 */
export type Refer = (type: InputType, variant?: InputVariant) => JsonSchema;

/** The form in which the values of a class arrive. */
export interface InputForm {
  /** Whether all values are strings, as in a query or a path, and so never null. */
  readonly isText?: boolean;
  /** Whether unknown members are removed. By default they are rejected. */
  readonly isOpen?: boolean;
}

/** The schema of an input class. */
export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/**
 * Returns the JSON Schema of the values that our pipe accepts for a class. Rules with an equivalent keyword become keywords, and
 * all other rules become text.
 *
 * @param groups the validation groups that the route selects; if empty, the rules in all groups run
 * @param refer makes the schema for a nested class
 * @param describe the member texts
 */
export function inputSchema(
  type: InputType,
  groups: readonly string[],
  refer: Refer,
  describe: DescribeMember = () => undefined,
  form: InputForm = {},
): ObjectSchema {
  const rules = readRules(type, { groups: groups.length > 0 ? groups : undefined });
  const transforms = readTransforms(type);
  const reader = new Reader(type, rules, transforms, refer, describe, form, groups);
  return reader.read();
}

interface Property {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

class Reader {
  private readonly selection: KeySelection;
  private readonly initial: Readonly<Record<string, unknown>>;

  constructor(
    private readonly type: InputType,
    private readonly rules: RuleShape,
    private readonly transforms: TransformShape,
    private readonly refer: Refer,
    private readonly describe: DescribeMember,
    private readonly form: InputForm,
    private readonly groups: readonly string[],
  ) {
    this.selection = selectKeys(transforms, 'toClass', {});
    this.initial = initialValues(type);
  }

  read(): ObjectSchema {
    const all = this.rules.properties.map((rules) => this.property(rules));
    const required = all.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
    return {
      type: 'object',
      properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
      ...(required.length > 0 && { required }),
      // Properties that class-transformer drops because they are not exposed cannot be rejected.
      ...(this.selection.takesOwnKeys && this.closed),
    };
  }

  private property(rules: PropertyRules): Property {
    const name = wireName(this.transforms, rules.name);
    const initial = this.initial[rules.name];
    const isRequired = initial === undefined && !mayBe(rules, undefined) && !isUnderCondition(rules);
    const schema = this.valueSchema(rules);
    const declared = schemaOf(this.type, rules.name)?.keywords;
    const withDefault = initial === undefined ? {} : { default: initial };
    return {
      name,
      isRequired,
      schema: withAudiences(
        withTexts({ ...schema, ...withDefault, ...declared }, this.describe, rules.name),
        acceptedFrom(this.type, rules.name),
        'Accepted from',
      ),
    };
  }

  private valueSchema(rules: PropertyRules): JsonSchema {
    if (isUnderCondition(rules)) return { description: 'Validated only under a condition on other fields.' };
    const conversion = this.conversion(rules.name);
    if (conversion === undefined) return { description: 'Converted before it is validated.' };
    const isList = rules.leaves.some(requiresList);
    const schemas = [conversion, ...ruleSchemas(rules.leaves, isList), ...this.nested(rules, isList)];
    const schema = combine(schemas);
    if (this.form.isText === true) return schema;
    return mayBe(rules, null) ? orNull(schema) : butNotNull(schema);
  }

  /** Returns the schema that a conversion accepts; `{}` without conversions, `undefined` if it is unknown. */
  private conversion(property: string): JsonSchema | undefined {
    const run = selectTransforms(this.transforms, property, 'toClass', {});
    const meanings = run.map(({ transform }) => meaningOfTransform(transform));
    if (meanings.includes(undefined)) return undefined;
    const ofType = this.partType(property) === Date ? { type: 'string', format: 'date-time' } : {};
    return combine([ofType, ...meanings.filter((meaning) => meaning !== undefined)]);
  }

  /**
   * Returns the schemas of a nested value. Lists are accepted only for list properties; class-validator alone would accept them
   * everywhere.
   */
  private nested({ name, nested }: PropertyRules, isList: boolean): JsonSchema[] {
    if (nested.length === 0) return [];
    const part = this.part(name);
    const ofList = { type: 'array', items: part };
    if (isList) return [ofList];
    return [lists.has(this.noted(name)) ? { anyOf: [part, ofList] } : part];
  }

  private part(property: string): JsonSchema {
    const base = this.partType(property);
    const { discriminator, keepDiscriminatorProperty: isKept = false } =
      this.transforms.typeOf.get(property) ?? {};
    if (discriminator) {
      const named = [...classesByName(discriminator)].flatMap(([name, type]) =>
        isClass(type) ? [[name, type] as const] : [],
      );
      const { closed } = this;
      const selection = { property: discriminator.property, classes: new Map(named), isKept, base, closed };
      return inputVariants(selection, this.refer, (type) =>
        inputSchema(type, this.groups, () => ({}), undefined, this.form),
      );
    }
    return base === undefined ? { type: 'object', ...this.closed } : this.refer(base);
  }

  /** The keyword that rejects unknown members. */
  private get closed(): JsonSchema {
    return this.form.isOpen === true ? {} : { additionalProperties: false };
  }

  private partType(property: string): InputType | undefined {
    const { typeFunction, reflectedType } = this.transforms.typeOf.get(property) ?? {};
    const type: unknown = typeFunction?.length === 0 ? typeFunction() : reflectedType;
    return isClass(type) ? type : undefined;
  }

  private noted(property: string): unknown {
    return Reflect.getMetadata('design:type', this.type.prototype, property);
  }
}

function isClass(type: unknown): type is InputType {
  return typeof type === 'function' && !lists.has(type);
}

/** The compiler's type metadata for lists, and for types that it cannot represent. */
const lists = new Set<unknown>([undefined, Object, Array, Set, Map]);

/** Whether a property may be missing (`undefined`) or null. */
function mayBe(rules: PropertyRules, nothing: null | undefined): boolean {
  if (!rules.defined.every((rule) => passes(rule, nothing))) return false;
  const isSkipped = rules.conditions.some(
    (rule) => (rules.isOptional || looksAtValueOnly(rule)) && !holds(rule, nothing),
  );
  // Nested validation skips what is missing, and rejects null.
  const isNested = nothing === null && rules.nested.length > 0;
  return isSkipped || (!isNested && rules.leaves.every((rule) => passes(rule, nothing)));
}

/** Whether other members decide about its rules. */
function isUnderCondition({ isOptional, conditions }: PropertyRules): boolean {
  return !isOptional && !conditions.every(looksAtValueOnly);
}

type Condition = PropertyRules['conditions'][number];

/** Evaluates a condition that depends on the value only; `IsOptional` reads it from the object. */
function holds({ constraints: [condition], propertyName }: Condition, value: unknown): boolean {
  return typeof condition === 'function' && Boolean(condition({ [propertyName]: value }, value));
}

/**
 * Returns the values for members that an input leaves out: the initial values of a new instance. Members with `@Expose()` have
 * no value, because class-transformer sets them to undefined. Empty if the constructor requires arguments.
 */
function initialValues(type: InputType): Readonly<Record<string, unknown>> {
  try {
    return { ...plainToInstance(type, {}) };
  } catch {
    return {};
  }
}
