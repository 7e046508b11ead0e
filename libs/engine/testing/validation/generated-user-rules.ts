import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import type { ValidationOptions } from 'class-validator';
import { type GeneratedRules, text, whole } from './generated-rules';

@validator.ValidatorConstraint({ name: 'evenLength' })
class EvenLength implements validator.ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return String(value).length % 2 === 0;
  }
  defaultMessage(args?: validator.ValidationArguments): string {
    return `$property of $target: ${args?.targetName} ${String(args?.value)} $value`;
  }
}

@validator.ValidatorConstraint({ name: 'lateTruth', async: true })
class LateTruth implements validator.ValidatorConstraintInterface {
  validate(value: unknown): Promise<boolean> {
    return Promise.resolve(typeof value === 'string');
  }
}

const byUser =
  (name: string, validate: (value: unknown) => boolean | Promise<boolean>) => (o?: ValidationOptions) =>
    validator.ValidateBy(
      {
        name,
        constraints: [1, '$value'],
        validator: { validate, defaultMessage: () => 'own $constraint1 $constraint2 $property' },
      },
      o,
    );

/** Returns a rule that changes the instance at some values. */
const changing = (change: (object: object) => unknown) => (o?: ValidationOptions) =>
  validator.ValidateBy(
    {
      name: 'changing',
      validator: {
        validate: (value, args) => {
          if (value === 'abc') change(args!.object);
          return true;
        },
      },
    },
    o,
  );

/** Changes nested objects and lists. */
function changeInside(object: object): void {
  for (const raw of Object.values(object) as unknown[]) {
    if (Array.isArray(raw)) raw.push('changed');
    const sample: unknown = Array.isArray(raw) ? raw[0] : raw;
    if (typeof sample === 'object' && sample !== null) Reflect.set(sample, 'p0', 'changed');
  }
}

/** The rules written by a user. Some use library names. */
export const USER_RULES: GeneratedRules = [
  [
    'ValidateIf',
    (o) => validator.ValidateIf((object: object, value) => value !== 'abc' && 'p0' in object, o),
    text,
  ],
  ['Validate', (o) => validator.Validate(EvenLength, [3], o), text],
  ['Validate(async)', (o) => validator.Validate(LateTruth, o), text],
  ['changing', changing((object) => Reflect.set(object, 'p1', 'changed')), text],
  ['changing(inside)', changing(changeInside), text],
  ['changing(inside, often)', changing(changeInside), () => 'abc'],
  ['changing(inside, often)', changing(changeInside), () => 'abc'],
  ['isInt(own)', byUser('isInt', (value) => typeof value === 'string'), text],
  ['isString(own)', byUser('isString', (value) => value instanceof Date), text],
  [
    'Transform',
    () =>
      transformer.Transform(({ value }) => (typeof value === 'string' ? value.trim() : (value as unknown))),
    text,
  ],
  [
    'Transform(obj)',
    () =>
      transformer.Transform(({ obj, key }) => (obj as Record<string, unknown>)[key] ?? 'none', {
        toClassOnly: true,
      }),
    text,
  ],
  [
    'Transform(this)',
    () =>
      transformer.Transform(function (this: { propertyName: string }, { value }) {
        return typeof value === 'string' ? this.propertyName : (value as unknown);
      }),
    text,
  ],
  ['Transform(group)', () => transformer.Transform(() => 7, { groups: ['a'] }), whole],
];

/** The rules that return a promise but are not declared as asynchronous. */
export const PROMISE_RULES: GeneratedRules = [
  ['promise', byUser('promised', (value) => Promise.resolve(value === 'abc')), text],
  ['mixed', byUser('mixed', (value) => (typeof value === 'string' ? Promise.resolve(true) : false)), text],
  ['ValidatePromise', (o) => validator.ValidatePromise(o), (r) => Promise.resolve(text(r))],
];
