import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import type { CompileOptions } from '../../src/validation/plan/settings';
import type { Random } from './random';

type Changing = { -readonly [name in keyof CompileOptions]: CompileOptions[name] };

/** The list in an `IsIn` rule, which both sides read at every value. */
const CHOICES: unknown[] = ['abc', 12];

const LATE: readonly ((random: Random) => PropertyDecorator)[] = [
  () => validator.IsOptional(),
  () => validator.IsString(),
  () => validator.IsIn(CHOICES),
  (random) => validator.MinLength(random.below(4), { groups: random.pick([undefined, ['a']]) as never }),
  () => transformer.Expose(),
  () => transformer.Transform(({ value }) => value as unknown),
];

/** Runs a decorator after the class was used, or changes a list that a decorator received. */
export function declareLate(random: Random, type: new () => object): void {
  if (random.chance(30)) CHOICES.push(random.pick(['a', 'x@y.co', 1]));
  else random.pick(LATE)(random)(type.prototype as object, random.pick(['p0', 'p1', 'late']));
  if (CHOICES.length > 5) CHOICES.splice(2);
}

/** The flags that functions are compiled for. */
const FLAGS = [
  'whitelist',
  'forbidNonWhitelisted',
  'forbidUnknownValues',
  'skipMissingProperties',
  'skipNullProperties',
  'skipUndefinedProperties',
  'stopAtFirstError',
  'dismissDefaultMessages',
  'always',
  'strictGroups',
] as const;

const TRANSFORM_FLAGS = [
  'enableImplicitConversion',
  'exposeDefaultValues',
  'exposeUnsetFields',
  'excludeExtraneousValues',
] as const;

const CHANGES: readonly ((options: Changing, random: Random) => void)[] = [
  ({ groups }) => groups?.push('a'),
  ({ groups }) => groups?.pop(),
  (options) => (options.groups = ['b']),
  (options) => delete options.groups,
  (options, random) => (options.validationError = { target: random.chance(50), value: random.chance(50) }),
  ({ transformOptions }) => transformOptions?.groups?.push('a'),
  ({ transformOptions }) => transformOptions?.excludePrefixes?.pop(),
  ({ transformOptions }, random) => {
    const flag = random.pick(TRANSFORM_FLAGS);
    if (transformOptions) transformOptions[flag] = !transformOptions[flag];
  },
];

/** Changes options in place, like their owner may do between two calls. */
export function changeOptions(random: Random, options: CompileOptions): void {
  const flag = random.pick(FLAGS);
  if (random.chance(50)) (options as Changing)[flag] = !options[flag];
  else random.pick(CHANGES)(options, random);
}
