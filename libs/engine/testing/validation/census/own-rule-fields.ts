import * as v from 'class-validator';
import { field, type Field } from './field';

function IsLongerThan(property: string, options?: v.ValidationOptions): PropertyDecorator {
  return (target, propertyName) =>
    v.registerDecorator({
      name: 'isLongerThan',
      target: target.constructor,
      propertyName: propertyName as string,
      constraints: [property],
      ...(options && { options }),
      validator: {
        validate(value: unknown, args?: v.ValidationArguments) {
          const related = (args!.object as Record<string, unknown>)[args!.constraints[0] as string];
          return typeof value === 'string' && (typeof related !== 'string' || value.length > related.length);
        },
        defaultMessage: (args?: v.ValidationArguments) =>
          `${args?.property} must be longer than $constraint1`,
      },
    });
}

function IsEven(options?: v.ValidationOptions): PropertyDecorator {
  return v.ValidateBy(
    {
      name: 'isEven',
      validator: {
        validate: (value: unknown) => typeof value === 'number' && value % 2 === 0,
        defaultMessage: v.buildMessage((prefix) => `${prefix}$property must be even`, options),
      },
    },
    options,
  );
}

@v.ValidatorConstraint({ name: 'passwordMatches', async: false })
class PasswordMatches implements v.ValidatorConstraintInterface {
  validate(value: unknown, args?: v.ValidationArguments): boolean {
    return value === (args!.object as { password?: unknown }).password;
  }
  defaultMessage(): string {
    return 'Passwords do not match';
  }
}

@v.ValidatorConstraint({ async: true })
class IsFree implements v.ValidatorConstraintInterface {
  async validate(value: unknown): Promise<boolean> {
    await Promise.resolve();
    return value !== 'taken';
  }
  defaultMessage(args?: v.ValidationArguments): string {
    return `${String(args?.value)} is taken`;
  }
}

@v.ValidatorConstraint()
class NoMessage implements v.ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return Boolean(value);
  }
}

function IsFreeLater(options?: v.ValidationOptions): PropertyDecorator {
  return (target, propertyName) =>
    v.registerDecorator({
      target: target.constructor,
      propertyName: propertyName as string,
      async: true,
      constraints: [],
      ...(options && { options }),
      validator: IsFree,
    });
}

const code = { errorCode: 1001 };
const ofProperty = (args: v.ValidationArguments): string =>
  `${args.property} (${String(args.value)}) is wrong`;

/** Custom rules, synchronous and asynchronous, with callbacks (conditions, messages), contexts and groups. */
export const OWN_RULE_FIELDS: readonly Field[] = [
  field('passwordConfirm', String, [v.Validate(PasswordMatches)], ['correct horse']),
  field('longer', String, [IsLongerThan('name'), v.IsString()], ['A very long name']),
  field('even', Number, [IsEven(), v.IsInt()], [2, 4]),
  field('evens', Array, [IsEven({ each: true })], [[2, 4]]),
  field('handle', String, [v.IsString(), v.Validate(IsFree)], ['free']),
  field('alias', String, [IsFreeLater({ message: '$value is taken' })], ['free']),
  field('truthy', String, [v.Validate(NoMessage, [1, 2], { message: 'need $constraint1' })], ['x']),
  field('silent', String, [v.Validate(NoMessage)], ['x']),
];

export const CONDITION_FIELDS: readonly Field[] = [
  field(
    'company',
    String,
    [v.ValidateIf((object: { isCompany?: boolean }) => object.isCompany === true), v.IsString()],
    ['Acme'],
  ),
  field(
    'reason',
    String,
    [v.ValidateIf((object: { status?: string }) => object.status === 'closed'), v.IsNotEmpty()],
    ['done'],
  ),
  field(
    'taxId',
    String,
    [v.ValidateIf((_: object, value) => value !== null), v.IsString(), v.Length(4, 10)],
    ['12345', null],
  ),
  field(
    'street',
    String,
    [v.IsOptional(), v.ValidateIf((object: { city?: string }) => object.city !== undefined), v.IsString()],
    ['Main'],
  ),
  field(
    'discount',
    Number,
    [v.IsNumber({}, { validateIf: (object: { price?: number }) => object.price !== undefined })],
    [1],
  ),
];

export const MESSAGE_FIELDS: readonly Field[] = [
  field(
    'coded',
    String,
    [v.IsString({ context: code }), v.MinLength(3, { context: { errorCode: 2 } })],
    ['abc'],
  ),
  field('worded', Number, [v.IsInt({ message: ofProperty }), v.Min(3, { message: ofProperty })], [5]),
  field(
    'named',
    String,
    [v.Length(3, 5, { message: '$property: $constraint1 to $constraint2, not $value' })],
    ['abcd'],
  ),
  field('both', String, [v.IsEmail({}, { message: ofProperty, context: code })], ['a@b.co']),
  field('eachWorded', Array, [v.IsString({ each: true, message: 'each $value' })], [['a']]),
  field('definedCode', String, [v.IsDefined({ context: code }), v.IsString()], ['a']),
];

export const GROUP_FIELDS: readonly Field[] = [
  field('created', String, [v.IsString({ groups: ['create'] }), v.IsOptional({ groups: ['update'] })], ['a']),
  field('updated', Number, [v.IsInt({ groups: ['update'] }), v.Min(1, { always: true })], [2]),
  field(
    'shared',
    String,
    [v.IsString({ groups: ['create', 'update'] }), v.MaxLength(9, { always: true })],
    ['a'],
  ),
];
