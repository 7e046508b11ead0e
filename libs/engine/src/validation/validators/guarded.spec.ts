import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { differenceOf } from '../../../testing/validation/difference';
import { anyValue, fieldsOf, RESERVED_NAMES } from '../../../testing/validation/generated-values';
import { Random } from '../../../testing/validation/random';
import { ListQuery, NumberedPath } from '../../../testing/validation/list-query';
import { engineFor } from './engine';
import type { CompileOptions } from '../plan/settings';
import { asPlainObject } from './hardened';

class Line {
  @IsInt({ groups: ['a'], always: true }) @Min(1) count!: number;
  @IsOptional() @IsString() @MaxLength(5) text?: string;
}

class Sheet {
  @IsEmail() owner!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  @IsOptional() @IsString({ each: true }) tags?: string[];
}

class Endless {
  @IsOptional() @ValidateNested() @Type(() => Endless) next?: Endless;
}

const strict = { whitelist: true, forbidNonWhitelisted: true };
const asPipe = { forbidUnknownValues: false, validationError: { target: false } };

function bodyOf(random: Random): object {
  const line = () => fieldsOf(random.shuffled(['count', 'text']), () => value());
  const value = (): unknown =>
    random.chance(70) ? random.pick([1, 2, 'abc', 'a@b.co', 'a@b.co']) : anyValue(random);
  const fields: Record<string, () => unknown> = {
    owner: () => (random.chance(80) ? 'ann@example.org' : value()),
    lines: () => (random.chance(80) ? [line(), line()].slice(random.below(3)) : value()),
    tags: () => (random.chance(70) ? ['a', 'b'] : value()),
  };
  const names = random.shuffled([
    ...Object.keys(fields),
    ...(random.chance(25) ? [random.pick(RESERVED_NAMES)] : []),
  ]);
  return fieldsOf(
    names.filter(() => random.chance(95)),
    (name) => (Object.hasOwn(fields, name) ? fields[name]!() : value()),
  );
}

/** A pipe's first attempt. */
class FirstPass {
  constructor(private readonly options: CompileOptions) {}

  read(type: Function, value: unknown, groups?: string[]) {
    const engine = engineFor(
      { ...this.options, ...(groups && { groups }) },
      this.options.transformOptions,
      true,
    );
    const plain = asPlainObject(value);
    if (typeof engine === 'string' || plain === undefined) return undefined;
    return engine.checkGuarded(type, plain, this.options.transformOptions) as Exclude<
      ReturnType<typeof engine.checkGuarded>,
      Promise<unknown>
    >;
  }
}

describe('the first attempt of a pipe', () => {
  it('accepts queries and paths as Fastify passes them, converted by our rules', () => {
    const pass = new FirstPass({ ...strict, ...asPipe, hardened: true });
    const bare = (fields: object, above: object) =>
      Object.assign(Object.create(Object.setPrototypeOf(above, null)), fields) as object;
    expect(pass.read(NumberedPath, bare({ id: '7' }, {}))).toEqual({
      value: Object.assign(new NumberedPath(), { id: 7 }),
    });
    expect(pass.read(ListQuery, bare({ limit: '3' }, {}))).toEqual({
      value: Object.assign(new ListQuery(), { limit: 3 }),
    });
    expect(pass.read(ListQuery, bare({ limit: '1e1' }, {}))).toMatchObject({
      errors: [{ constraints: { isInt: 'limit must be an integer number' } }],
    });
    expect(pass.read(NumberedPath, bare({ id: '7' }, { extra: 1 }))).toBeUndefined();
    expect(pass.read(NumberedPath, { id: new Map() })).toBeUndefined();
  });

  it.each([strict, { whitelist: true }, {}])(
    'has the result of the stock pipe, or none: %j',
    async (options) => {
      const pipe = new ValidationPipe({ ...options, transform: true, exceptionFactory: (errors) => errors });
      const pass = new FirstPass({ ...options, ...asPipe });
      let answered = 0;
      for (let seed = 0; seed < 1500; seed++) {
        const ours = readOrThrow(() => pass.read(Sheet, bodyOf(new Random(seed))));
        if (!ours) continue;
        answered += 1;
        const theirs: unknown = await pipe
          .transform(bodyOf(new Random(seed)), { type: 'body', metatype: Sheet })
          .then(
            (value: unknown) => ({ value }),
            (errors: unknown) => ({ errors }),
          );
        expect(differenceOf(withoutParents(ours), theirs), `seed ${seed}`).toBeUndefined();
      }
      expect(answered).toBeGreaterThan(400);
    },
  );

  it('uses the groups of one call', () => {
    const pass = new FirstPass({ ...strict, ...asPipe });
    expect(pass.read(Line, { count: 'x' }, ['a'])).toHaveProperty('errors');
    expect(pass.read(Line, { count: 1, text: 'abcdefgh' })).toHaveProperty('errors');
    expect(pass.read(Line, { count: 1 }, ['a'])).toHaveProperty('value');
  });

  it('has no result for input that the hardened pipe rejects', () => {
    const pass = new FirstPass({ ...strict, ...asPipe, hardened: true });
    expect(pass.read(Sheet, { owner: 'a@b.co', lines: [] })).toHaveProperty('value');
    expect(pass.read(Sheet, { owner: '\ud800@b.co', lines: [] })).toBeUndefined();
    expect(pass.read(Sheet, { owner: 'a@b.co', lines: [], tags: ['\ud800'] })).toBeUndefined();
    expect(pass.read(Sheet, { owner: 'a@b.co', lines: [], '\ud800': 1 })).toBeUndefined();
    expect(pass.read(Endless, { next: {} })).toHaveProperty('value');
    const lines = (count: number) => Array.from({ length: count }, () => ({ count: 1 }));
    expect(pass.read(Sheet, { owner: 'a@b.co', lines: lines(3000) })).toHaveProperty('value');
    expect(pass.read(Sheet, { owner: 'a@b.co', lines: lines(5000) })).toBeUndefined();
    expect(pass.read(Sheet, { owner: 'a', lines: lines(5000) })).toBeUndefined();
    expect(pass.read(Line, Object.fromEntries(lines(1001).map((_, at) => [`k${at}`, 1])))).toBeUndefined();
  });

  it('has no result for null, undefined, lists and primitives', () => {
    const pass = new FirstPass(strict);
    for (const value of [undefined, null, [], 1, 'text', new Map(), Buffer.from('a')])
      expect(pass.read(Sheet, value)).toBeUndefined();
  });

  it('applies a decorator that runs later', () => {
    const pass = new FirstPass(strict);
    expect(pass.read(Line, { count: 1, late: 1 })).toHaveProperty('errors');
    IsInt()(Line.prototype, 'late');
    expect(pass.read(Line, { count: 1, late: 1 })).toHaveProperty('value');
  });
});

/** A thrown error is a result, too. */
function readOrThrow<Made>(read: () => Made): Made | { errors: unknown } {
  try {
    return read();
  } catch (errors) {
    return { errors };
  }
}

/** The stock pipe removes the value from every error with nested errors. */
function withoutParents<Result>(result: Result): Result {
  const { errors } = result as { errors?: unknown };
  const pending = Array.isArray(errors) ? ([...errors] as Inner[]) : [];
  for (let error = pending.pop(); error; error = pending.pop()) {
    if (error.children && error.children.length > 0) delete error.value;
    pending.push(...(error.children ?? []));
  }
  return result;
}

interface Inner {
  value?: unknown;
  children?: Inner[];
}
