import { ValidationPipe as NestValidationPipe } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { IsString, MaxLength, validateSync } from 'class-validator';
import { compileValidator } from '../libs/engine/src/validation/validators/compile-validator';
import type { Problem } from '../libs/contract/src/input-problems/input-problems';
import { invalidInput } from '../libs/contract/src/input-problems/invalid-input';
import { Rejected, ValidationPipe } from '../libs/engine/src/nest/pipe/validation.pipe';
import type { Subject } from './measure.ts';
import {
  Address,
  badOrder,
  badUser,
  CreateOrder,
  order,
  Profile,
  profile,
  shuffledOrders,
  user,
  UserCreate,
  Wide,
  wide,
} from './validation-classes.ts';
import * as peers from './validation-peers.ts';

/** A case. All subjects receive the same input. */
export interface Case {
  readonly name: string;
  readonly subjects: Readonly<Record<string, Subject>>;
  /** The subjects that return a promise, which the benchmark awaits. */
  readonly waited?: Readonly<Record<string, () => Promise<unknown>>>;
  /** The baseline, which defaults to the two libraries. */
  readonly baseline?: string;
  /**
   * Checks the results.
   *
   * @throws if a subject has a wrong result
   */
  check(): void;
}

const strict = { whitelist: true, forbidNonWhitelisted: true, validationError: { target: false } };

type Input = new () => object;

const libraries = (type: Input, value: object) => () => {
  const instance = plainToInstance(type, value);
  const errors = validateSync(instance, strict);
  return errors.length > 0 ? { errors } : { value: instance };
};

export const LIBRARIES = 'class-validator + class-transformer';
export const OURS = 'ours';

function ours(type: Input, value: object): Subject {
  const validator = compileValidator(type, { ...strict, ignoreAsync: true });
  return () => validator.check(value);
}

const WITHOUT = 'ours, without an instance (boolean)';

/** Returns the test that creates no instance, with the same rules and the same refusal of unknown members. */
function withoutInstance(type: Input, value: object): Subject {
  const { test } = compileValidator(type, { ...strict, ignoreAsync: true, instance: false });
  return () => test(value);
}

export const PIPE = 'ours, the pipe’s own function';

/** Returns the function that every route in our programs calls, with their options. */
function throughPipe(type: Input): (value: object) => unknown {
  const options = { ...strict, forbidUnknownValues: false, transform: true, hardened: true };
  const pipe = new ValidationPipe({ ...options, exceptionFactory: invalidInput });
  const metadata = { type: 'body' as const, metatype: type };
  return (value) => pipe.validateParameter(value, metadata);
}

function caseOf(name: string, type: Input, value: object, others: Record<string, Subject>): Case {
  const isValid = !name.includes('invalid');
  const pipe = throughPipe(type);
  const subjects = {
    [LIBRARIES]: libraries(type, value),
    [OURS]: ours(type, value),
    [PIPE]: () => pipe(value),
    [WITHOUT]: withoutInstance(type, value),
    ...others,
  };
  const check = () => {
    for (const [subject, ask] of Object.entries(subjects)) {
      const answer = ask() as { value?: unknown; errors?: unknown; success?: boolean } | boolean | undefined;
      const accepted =
        answer === true ||
        (typeof answer === 'object' &&
          !(answer instanceof Rejected) &&
          answer.errors === undefined &&
          answer.success !== false);
      if (accepted !== isValid) throw new Error(`${name}: ${subject} answers ${JSON.stringify(answer)}`);
    }
  };
  return { name, subjects, check };
}

/** Returns all cases for validating a value. */
export function cases(): Case[] {
  const good = user();
  const bad = badUser();
  const goodOrder = order();
  const wrongOrder = badOrder();
  return [
    caseOf('UserCreate, valid', UserCreate, good, {
      'ajv 8 (boolean)': () => peers.ajvUser(good),
      'ajv 8 with validator’s e-mail check': () => peers.ajvUserOwnEmail(good),
      'TypeBox 1 (boolean)': () => peers.typeboxUser.Check(good),
      'arktype 2 (boolean)': () => peers.arktypeUser.allows(good),
      'zod 4': () => peers.zodUser.safeParse(good),
      'by hand': () => peers.handUser(good),
    }),
    caseOf('UserCreate, invalid', UserCreate, bad, {
      'ajv 8, allErrors': () => peers.ajvUserAll(bad),
      'TypeBox 1 (boolean)': () => peers.typeboxUser.Check(bad),
      'TypeBox 1, all errors': () => refusedBy(peers.typeboxUser.Errors(bad)),
      'arktype 2, all errors': () => refusedBy(peers.arktypeErrors(peers.arktypeUser(bad))),
      'zod 4': () => peers.zodUser.safeParse(bad),
    }),
    caseOf('CreateOrder, valid', CreateOrder, goodOrder, {
      'ajv 8 (boolean)': () => peers.ajvOrder(goodOrder),
      'TypeBox 1 (boolean)': () => peers.typeboxOrder.Check(goodOrder),
      'arktype 2 (boolean)': () => peers.arktypeOrder.allows(goodOrder),
      'zod 4': () => peers.zodOrder.safeParse(goodOrder),
      'by hand': () => peers.handOrder(goodOrder),
    }),
    caseOf('CreateOrder, invalid', CreateOrder, wrongOrder, {
      'ajv 8, allErrors': () => peers.ajvOrderAll(wrongOrder),
      'TypeBox 1 (boolean)': () => peers.typeboxOrder.Check(wrongOrder),
      'TypeBox 1, all errors': () => refusedBy(peers.typeboxOrder.Errors(wrongOrder)),
      'arktype 2, all errors': () => refusedBy(peers.arktypeErrors(peers.arktypeOrder(wrongOrder))),
      'zod 4': () => peers.zodOrder.safeParse(wrongOrder),
    }),
    caseOf('Address, valid', Address, goodOrder.address, {
      'TypeBox 1 (boolean)': () => peers.typeboxAddress.Check(goodOrder.address),
    }),
    caseOf('Profile (two transforms, a custom rule, a condition), valid', Profile, profile(), {}),
    caseOf('Wide (a hundred fields), valid', Wide, wide(), {}),
    hostileCase(),
    pipeCase(UserCreate, user),
    pipeCase(CreateOrder, order),
    refusalCase(),
  ];
}

/** Turns a list of errors into a boolean. An empty list means success. */
function refusedBy(errors: readonly unknown[]): { success: boolean; errors: readonly unknown[] } {
  return { success: errors.length === 0, errors };
}

const USUAL = 'ours, keys in the usual order';

const parsed = (value: object): object => JSON.parse(JSON.stringify(value));

/** Creates a case with a thousand orders from `JSON.parse` in shuffled key order, and as many orders in the usual order. */
function hostileCase(): Case {
  const shuffled = shuffledOrders(1000).map(parsed);
  const usual = shuffled.map(() => parsed(order()));
  const validator = compileValidator(CreateOrder, { ...strict, ignoreAsync: true });
  const pipe = throughPipe(CreateOrder);
  let at = 0;
  const nextOf = (values: readonly object[]) => values[(at = (at + 1) % values.length)]!;
  return {
    name: 'CreateOrder, valid, keys in any order',
    baseline: USUAL,
    subjects: {
      [USUAL]: () => validator.check(nextOf(usual)),
      [OURS]: () => validator.check(nextOf(shuffled)),
      [PIPE]: () => pipe(nextOf(shuffled)),
    },
    check: () => undefined,
  };
}

const STOCK = 'Nest’s ValidationPipe, stock';

/** Creates a case with the whole `transform()` of a pipe. Nest awaits it, and our routes also call it synchronously. */
function pipeCase(metatype: Input, value: () => object): Case {
  const metadata = { type: 'body' as const, metatype };
  const options = { whitelist: true, forbidNonWhitelisted: true, transform: true };
  const input = value();
  const stock = new NestValidationPipe(options);
  const compiled = new ValidationPipe(options);
  const hardened = new ValidationPipe({ ...options, hardened: true });
  const answers = (pipe: NestValidationPipe) => () => pipe.transform(input, metadata);
  const atOnce = (pipe: ValidationPipe) => () => pipe.validateParameter(input, metadata);
  return {
    name: `pipe, ${metatype.name}`,
    baseline: STOCK,
    subjects: { 'ours, at once': atOnce(compiled), 'ours, hardened, at once': atOnce(hardened) },
    waited: { [STOCK]: answers(stock), 'ours, awaited': answers(compiled) },
    check: () => {
      if (!(atOnce(compiled)() instanceof metatype)) throw new Error('our pipe makes something else');
    },
  };
}

/** Creates a case with invalid input, from the body to the caught error. Each pipe throws its usual error. */
function refusalCase(): Case {
  const metadata = { type: 'body' as const, metatype: UserCreate };
  const options = { whitelist: true, forbidNonWhitelisted: true, transform: true };
  const input = badUser();
  const stock = new NestValidationPipe(options);
  const refusing = new ValidationPipe({ ...options, exceptionFactory: invalidInput });
  const caught = (pipe: NestValidationPipe) => async () => {
    try {
      return await pipe.transform(input, metadata);
    } catch (error) {
      return error;
    }
  };
  const problems: Problem[] = [
    { property: 'email', constraints: { isEmail: 'email must be an email' } },
    { property: 'isAdmin', constraints: { whitelistValidation: 'property isAdmin should not exist' } },
  ];
  return {
    name: 'pipe, UserCreate, refused',
    baseline: STOCK,
    subjects: { 'ours, the error alone': () => invalidInput(problems) },
    waited: { [STOCK]: caught(stock), 'ours, awaited': caught(refusing) },
    check: () => {
      if (invalidInput(problems).reply.message.length !== 2) throw new Error('our error says something else');
    },
  };
}

/** Returns a function that compiles a new class, for time and memory. */
export function compileOne(at: number): () => unknown {
  const type = class {};
  for (let field = 0; field < 4; field++) {
    IsString()(type.prototype, `field${field}`);
    MaxLength(20 + at)(type.prototype, `field${field}`);
  }
  const value = { field0: 'a', field1: 'b', field2: 'c', field3: 'd' };
  const validator = compileValidator(type, { ...strict, ignoreAsync: true });
  return () => validator.check(value);
}
