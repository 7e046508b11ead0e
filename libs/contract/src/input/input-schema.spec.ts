import { NoControlCharacters } from '../rules/no-control-characters';
import { Schema } from '../schema';
import { RuleSchema, withMeaning } from '@app/engine';
import Ajv2020 from 'ajv/dist/2020';
import { PartialType } from '@nestjs/mapped-types';
import { Expose, Transform, Type } from 'class-transformer';
import * as rules from 'class-validator';
import fc from 'fast-check';
import { acceptedMembers } from '../lock/accepted-members';
import { type InputType, inputSchema } from './input-schema';

const refer = (type: InputType) => ({ $ref: type.name });
const schemaFor = (type: InputType, groups: string[] = []) => inputSchema(type, groups, refer);

@RuleSchema(([length]: [number]) => ({ type: 'string', pattern: `^[0-9A-F]{${length}}$` }))
@rules.ValidatorConstraint()
class IsHex implements rules.ValidatorConstraintInterface {
  validate(value: unknown, args?: rules.ValidationArguments): boolean {
    return typeof value === 'string' && value.length === args?.constraints[0] && /^[0-9A-F]*$/.test(value);
  }
}

@RuleSchema({ type: 'integer', multipleOf: 2, minimum: 0, maximum: 1000 })
@rules.ValidatorConstraint()
class IsEven implements rules.ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return Number.isInteger(value) && Number(value) % 2 === 0 && Number(value) >= 0 && Number(value) <= 1000;
  }
}

@rules.ValidatorConstraint()
class IsOdd implements rules.ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return Number.isInteger(value) && Number(value) % 2 === 1;
  }
  defaultMessage(): string {
    return '$property must be odd';
  }
}

/** The schema of one property with the given rules. */
function propertyOf(...declared: PropertyDecorator[]) {
  class Input {
    value!: unknown;
  }
  for (const declare of declared) declare(Input.prototype, 'value');
  const { properties, required = [] } = schemaFor(Input);
  return [properties['value'], required.includes('value')];
}

describe('the schema of an input', () => {
  it('has the keywords of rules', () => {
    expect(propertyOf(rules.IsInt(), rules.Min(0), rules.Max(9))).toEqual([
      { type: 'integer', minimum: 0, maximum: 9 },
      true,
    ]);
    expect(propertyOf(rules.Length(2, 5), rules.Matches(/^a/))[0]).toEqual({
      type: 'string',
      minLength: 2,
      maxLength: 5,
      pattern: '^a',
    });
    expect(propertyOf(rules.IsEmail())[0]).toEqual({ type: 'string', format: 'email' });
    expect(propertyOf(rules.IsIn(['a', 'b']))[0]).toEqual({ type: 'string', enum: ['a', 'b'] });
    expect(propertyOf(rules.IsArray(), rules.ArrayMaxSize(3), rules.IsInt({ each: true }))[0]).toEqual({
      type: 'array',
      maxItems: 3,
      items: { type: 'integer' },
    });
  });

  it.each<[string, PropertyDecorator, object]>([
    ['Max', rules.Max(9), { type: 'number', maximum: 9 }],
    ['Min', rules.Min(1), { type: 'number', minimum: 1 }],
    ['IsPositive', rules.IsPositive(), { type: 'number', exclusiveMinimum: 0 }],
    ['IsNegative', rules.IsNegative(), { type: 'number', exclusiveMaximum: 0 }],
    ['MinLength', rules.MinLength(2), { type: 'string', minLength: 2 }],
    ['MaxLength', rules.MaxLength(5), { type: 'string', maxLength: 5 }],
    ['ArrayMinSize', rules.ArrayMinSize(2), { type: 'array', minItems: 2 }],
    ['ArrayMaxSize', rules.ArrayMaxSize(5), { type: 'array', maxItems: 5 }],
    ['ArrayNotEmpty', rules.ArrayNotEmpty(), { type: 'array', minItems: 1 }],
  ])('bounds as %s does', (_name, rule, expected) => {
    expect(propertyOf(rule)[0]).toMatchObject(expected);
  });

  it('has the stricter of two bounds', () => {
    expect(propertyOf(rules.MinLength(2), rules.MinLength(5))[0]).toEqual({ type: 'string', minLength: 5 });
  });

  it('describes rules without a keyword as text', () => {
    expect(propertyOf(rules.Matches(/^a/i))[0]).toEqual({
      type: 'string',
      description: 'Matches /^a/i.',
    });
    expect(propertyOf(rules.ArrayUnique())[0]).toEqual({
      description: "All value's elements must be unique.",
      not: { type: 'null' },
    });
    expect(propertyOf(rules.IsCreditCard({ message: '$property is no card' }))[0]).toEqual({
      type: 'string',
      description: 'Value is no card.',
    });
  });

  it('applies rules with each to elements and to single values', () => {
    expect(propertyOf(rules.IsString({ each: true }))[0]).toEqual({
      anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
    });
  });

  it('has a default if class-transformer keeps it, which it does not for an exposed member', () => {
    class Preset {
      @rules.IsInt() plain = 1;
      @Expose() @rules.IsInt() exposed = 1;
    }
    expect(schemaFor(Preset)).toMatchObject({ properties: { plain: { default: 1 } }, required: ['exposed'] });
    expect(schemaFor(Preset).properties.exposed).not.toHaveProperty('default');
  });

  it('does not require a member that is validated under a condition on others', () => {
    const condition = rules.ValidateIf((object: { kind?: unknown }) => object.kind === 'card');
    expect(propertyOf(condition, rules.IsString())[1]).toBe(false);
  });

  it('is that of the class for PartialType, whose members may be missing, and null only if it skips null', () => {
    class Whole {
      @NoControlCharacters() text!: string;
    }
    class Change extends PartialType(Whole, { skipNullProperties: false }) {}
    const { text } = schemaFor(Whole).properties;
    expect(text).toHaveProperty('pattern');
    expect(schemaFor(Change)).toMatchObject({ properties: { text } });
    expect(schemaFor(Change)).not.toHaveProperty('required');
  });

  it('merges rules with each, and applies them all', () => {
    const each = [rules.IsString({ each: true }), rules.MaxLength(9, { each: true })];
    const items = { type: 'string', maxLength: 9 };
    expect(propertyOf(rules.IsArray(), ...each)[0]).toEqual({ type: 'array', items });
    expect(propertyOf(...each)[0]).toEqual({ anyOf: [{ type: 'array', items }, items] });
  });

  it('describes addresses, and keeps their options when validator.js has written its defaults into them', () => {
    class Linked {
      @rules.IsUrl({ protocols: ['https'], require_protocol: true }) site!: string;
      @rules.IsUrl() page!: string;
      @rules.IsUrl({ require_port: true }) host!: string;
    }
    const read = () => [schemaFor(Linked), acceptedMembers('body', { type: Linked, groups: [] })];
    const before = read();
    expect(before[0]).toMatchObject({
      properties: {
        site: { format: 'uri', pattern: '^(?:[Hh][Tt][Tt][Pp][Ss]):', examples: ['https://example.com/'] },
        page: { format: 'uri-reference', minLength: 1, maxLength: 2084 },
        host: { type: 'string', description: 'Host must be a URL address.' },
      },
    });
    rules.validateSync(Object.assign(new Linked(), { site: 'a', page: 'b', host: 'c' }));
    expect(read()).toEqual(before);
  });

  it('has the keywords that the class of a rule declares, for the constraints of each use', () => {
    expect(propertyOf(rules.Validate(IsHex, [8]))).toEqual([
      { type: 'string', pattern: '^[0-9A-F]{8}$' },
      true,
    ]);
    expect(propertyOf(rules.IsOptional(), rules.Validate(IsEven))).toEqual([
      { type: ['integer', 'null'], multipleOf: 2, minimum: 0, maximum: 1000 },
      false,
    ]);
    expect(propertyOf(rules.IsArray(), rules.Validate(IsHex, [2], { each: true }))[0]).toEqual({
      type: 'array',
      items: { type: 'string', pattern: '^[0-9A-F]{2}$' },
    });
  });

  it('allows what rules with declared keywords accept, and nothing else', () => {
    class Paint {
      @rules.Validate(IsHex, [6]) color!: unknown;
      @rules.Validate(IsEven) liters!: unknown;
    }
    const allows = new Ajv2020().compile({ ...schemaFor(Paint) });
    const anything = fc.anything({ values: [fc.integer(), fc.double(), fc.string()], maxDepth: 1 });
    const colors = fc.oneof(fc.stringMatching(/^[0-9A-F]{5,7}$/), anything);
    const liters = fc.oneof(fc.nat(9), anything);
    fc.assert(
      fc.property(colors, liters, (color, amount) => {
        const paint = Object.assign(new Paint(), { color, liters: amount });
        expect(allows({ color, liters: amount })).toBe(rules.validateSync(paint).length === 0);
      }),
    );
  });

  it('describes a rule whose class declares no keywords by its message', () => {
    expect(propertyOf(rules.Validate(IsOdd))).toEqual([
      { description: 'Value must be odd.', not: { type: 'null' } },
      true,
    ]);
  });

  it('distinguishes optional from nullable', () => {
    const conditional = withMeaning(
      rules.ValidateIf((_, value) => value !== undefined),
      { looksAtValueOnly: true },
    );
    expect(propertyOf(rules.IsOptional(), rules.IsInt())).toEqual([{ type: ['integer', 'null'] }, false]);
    expect(propertyOf(conditional, rules.IsInt())).toEqual([{ type: 'integer' }, false]);
    expect(propertyOf(rules.IsOptional(), rules.IsDefined(), rules.IsInt())).toEqual([
      { type: 'integer' },
      true,
    ]);
    expect(propertyOf(rules.IsNotIn(['x']))).toEqual([{ not: { enum: ['x'] } }, false]);
  });

  it('claims nothing about unexplained conditions and conversions', () => {
    expect(
      propertyOf(
        rules.ValidateIf(() => true),
        rules.IsInt(),
      )[0],
    ).toEqual({
      description: 'Validated only under a condition on other fields.',
    });
    expect(
      propertyOf(
        Transform(({ value }) => Number(value)),
        rules.IsInt(),
      )[0],
    ).toEqual({
      description: 'Converted before it is validated.',
    });
  });

  it('has the rules of the groups that a route selects', () => {
    class Input {
      @rules.IsString({ groups: ['create'] })
      name!: string;

      @rules.IsInt({ groups: ['update'] })
      size!: number;
    }
    expect(schemaFor(Input, ['create'])).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    });
  });

  it('has references to nested classes, wire names and defaults', () => {
    class Part {
      @rules.IsString() name!: string;
    }
    class Whole {
      @rules.IsArray() @rules.ValidateNested({ each: true }) @Type(() => Part) parts!: Part[];
      @rules.ValidateNested() @Type(() => Part) one!: Part;
      @Expose({ name: 'first_name' }) @rules.IsString() firstName!: string;
      @rules.IsInt() @Schema({ examples: [7] }) size: number = 3;
    }
    expect(schemaFor(Whole)).toEqual({
      type: 'object',
      properties: {
        parts: { type: 'array', items: { $ref: 'Part' } },
        one: { $ref: 'Part' },
        first_name: { type: 'string' },
        size: { type: 'integer', default: 3, examples: [7] },
      },
      required: ['parts', 'first_name'],
      additionalProperties: false,
    });
  });
});
