import type * as transformer from 'class-transformer';
import type * as validator from 'class-validator';
import type { ValidationOptions } from 'class-validator';
import type { CompileOptions } from '../../src/validation/plan/settings';
import type { Random } from './random';

const MESSAGES = [
  undefined,
  undefined,
  undefined,
  '$property is wrong: $value',
  '$target.$property $constraint1 $constraint2',
  '',
  (args: validator.ValidationArguments) => `${args.property}!`,
];

/** Generates the options for a decorator. */
export function ruleOptions(
  random: Random,
  { plain }: { readonly plain: boolean },
): ValidationOptions | undefined {
  if (random.chance(60)) return undefined;
  const options: ValidationOptions = {};
  if (random.chance(30)) options.each = true;
  if (random.chance(30)) options.groups = random.pick([['a'], ['b'], ['a', 'b'], []]);
  if (random.chance(10)) options.always = random.chance(50);
  if (random.chance(40)) options.message = random.pick(MESSAGES) as string;
  if (random.chance(8) && !plain) options.context = { code: random.below(3) };
  return options;
}

/** Generates options for both libraries, most often the usual options. */
export function generateOptions(random: Random): CompileOptions {
  const some = <Value>(percent: number, name: string, value: () => Value) =>
    random.chance(percent) ? { [name]: value() } : {};
  const flag = () => random.chance(80);
  return {
    ...some(60, 'whitelist', flag),
    ...some(45, 'forbidNonWhitelisted', flag),
    ...some(40, 'forbidUnknownValues', () => random.chance(20)),
    ...some(12, 'stopAtFirstError', flag),
    ...some(8, 'skipMissingProperties', flag),
    ...some(5, 'skipNullProperties', flag),
    ...some(5, 'skipUndefinedProperties', flag),
    ...some(8, 'dismissDefaultMessages', flag),
    ...some(15, 'groups', () => random.pick([() => ['a'], () => ['b'], () => ['a', 'b'], () => []])()),
    ...some(8, 'always', flag),
    ...some(8, 'strictGroups', flag),
    ...some(25, 'validationError', () => ({
      target: random.pick([false, true]),
      ...some(50, 'value', () => random.pick([false, true])),
    })),
    ...some(80, 'ignoreAsync', () => true),
    ...some(25, 'transformOptions', () => generateTransformOptions(random)),
  };
}

function generateTransformOptions(random: Random): transformer.ClassTransformOptions {
  const some = <Value>(percent: number, name: string, value: () => Value) =>
    random.chance(percent) ? { [name]: value() } : {};
  return {
    ...some(50, 'enableImplicitConversion', () => true),
    ...some(15, 'exposeDefaultValues', () => true),
    ...some(15, 'exposeUnsetFields', () => random.pick([false, undefined])),
    ...some(15, 'excludeExtraneousValues', () => true),
    ...some(15, 'groups', () => random.pick([['a'], ['b']])),
    ...some(10, 'version', () => random.below(4)),
    ...some(8, 'excludePrefixes', () => ['p1', 'f']),
    ...some(8, 'strategy', () => random.pick(['exposeAll', 'excludeAll'] as const)),
    ...some(4, 'ignoreDecorators', () => true),
    ...some(4, 'enableCircularCheck', () => true),
  };
}
