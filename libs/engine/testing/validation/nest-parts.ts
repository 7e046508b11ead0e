import { ConsoleLogger, Logger, ValidationPipe as NestPipe } from '@nestjs/common';
import * as mappedTypes from '@nestjs/mapped-types';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import type { Checked } from '../../src/validation/validators/compiled-validator';
import { ValidationPipe } from '../../src/nest/pipe/validation.pipe';
import type { CompileOptions } from '../../src/validation/plan/settings';
import type { Check, Entry } from './entries';
import type { FuzzParts } from './fuzz';
import { hardenedAs, hardenedOf } from './plain-input';

type ValidationError = classValidator.ValidationError;
type Input = new () => object;

/** The error with a pipe's validation errors. */
class Refused extends Error {
  constructor(readonly errors: ValidationError[]) {
    super('refused');
  }
}

const exceptionFactory = (errors: ValidationError[]) => new Refused(errors);

/** Creates a pipe per call, because Nest's pipes share the libraries that the last pipe was created with. */
const pipe: Entry = {
  name: 'the pipe',
  ours: (type, options) => (value) =>
    settle(new ValidationPipe(pipeOptions(options)).transform(value, bodyOf(type))),
  theirs: (type, options) => (value) =>
    settle(
      new NestPipe({
        ...pipeOptions(options),
        validatorPackage: classValidator,
        transformerPackage: classTransformer,
      }).transform(value, bodyOf(type)),
    ),
  readsOptions: false,
  takesJson: true,
};

const bodyOf = (metatype: new () => object) => ({ type: 'body' as const, metatype });

/** Returns the pipe options. Pipes await asynchronous rules. */
function pipeOptions(options: CompileOptions) {
  return { ...options, ignoreAsync: false, transform: true, exceptionFactory } as ConstructorParameters<
    typeof NestPipe
  >[0];
}

async function settle(promise: Promise<unknown>): Promise<Checked<object>> {
  try {
    return { value: (await promise) as object };
  } catch (error) {
    if (error instanceof Refused) return { errors: error.errors };
    throw error;
  }
}

const hardenedPipe: Entry = {
  name: 'the pipe, hardened',
  ours: (type, options) => {
    const pipeSettings = { ...pipeOptions(options), hardened: true };
    const check: Check = (value) => settle(new ValidationPipe(pipeSettings).transform(value, bodyOf(type)));
    return hardenedOf(check, type, options);
  },
  theirs: (type, options) => hardenedAs(pipe.theirs(type, options), type, options, 'body'),
  readsOptions: false,
  takesJson: true,
};

/** Derives classes from a class, like Nest programs do. */
const MAPPED: readonly ((type: Input) => Input)[] = [
  (type) => mappedTypes.PartialType(type),
  (type) => mappedTypes.OmitType(type, ['p1' as never]),
  (type) => mappedTypes.PickType(type, ['p0' as never, 'p2' as never]),
  (type) => mappedTypes.IntersectionType(type, class {}),
];

/** The additional fuzzer comparisons for a program with Nest. */
export const nestParts: FuzzParts = {
  entries: [
    [10, pipe],
    [7, hardenedPipe],
  ],
  derive: (random, type) => (random.chance(5) ? random.pick(MAPPED)(type) : type),
};

/** Runs a function with Nest's log turned off, because the hardened pipe logs each transform and rule that throws. */
export async function withoutLog<Made>(run: () => Promise<Made>): Promise<Made> {
  Logger.overrideLogger(false);
  try {
    return await run();
  } finally {
    Logger.overrideLogger(new ConsoleLogger());
  }
}
