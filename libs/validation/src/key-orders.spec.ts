import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { compileValidator } from './validators/compile-validator';
import { installedPipeSoon } from './pipe/installed.pipe';
import { ValidationPipe } from './pipe/validation.pipe';

/** The maximum number of compiled functions per class, whatever the order of keys. */
const MOST_PROGRAMS = 30;
/** Far more than any program waits before it takes another order for the usual one. */
const TIMES = 1000;

const strict = { whitelist: true, forbidNonWhitelisted: true };

/** Each test has its own classes, so that they are compiled separately. */
function makeClasses() {
  class Part {
    @IsString() a!: string;
    @IsString() b!: string;
    @IsString() c!: string;
    @IsString() d!: string;
  }
  class Whole {
    @IsInt() count!: number;
    @ValidateNested() @Type(() => Part) part!: Part;
    @ValidateNested() @Type(() => Part) other!: Part;
  }
  return Whole;
}

/** All permutations of names. */
function ordersOf(names: readonly string[]): string[][] {
  const [first, ...others] = names;
  if (first === undefined) return [[]];
  return ordersOf(others).flatMap((order) => names.map((_, at) => order.toSpliced(at, 0, first)));
}

/** All keys of an result, in order. */
const keysOf = (result: object) => JSON.stringify(result).match(/"[a-z]+":/g);

const orders = ordersOf(['a', 'b', 'c', 'd']);

function* bodies(): Generator<object> {
  for (const [at, order] of orders.entries()) {
    const part = Object.fromEntries(order.map((name) => [name, name]));
    const body = { count: 1, part, other: part };
    yield at % 2 ? body : { part, other: part, count: 1 };
  }
}

describe('clients that always send their fields in other orders', () => {
  let programs = 0;
  // Until then a pipe returns promises.
  beforeAll(installedPipeSoon);
  beforeEach(() => {
    programs = 0;
    const counting = new Proxy(Function, {
      construct(target, texts, newTarget) {
        programs += 1;
        return Reflect.construct(target, texts, newTarget) as object;
      },
    });
    vi.stubGlobal('Function', counting);
  });
  afterEach(() => void vi.unstubAllGlobals());

  const ways: [string, () => (body: object) => unknown][] = [
    [
      'a compiled validator',
      () => {
        const validator = compileValidator(makeClasses(), strict);
        return (body) => validator.check(body);
      },
    ],
    [
      'the pipe',
      () => {
        const pipe = new ValidationPipe({ ...strict, transform: true, hardened: true });
        const metatype = makeClasses();
        return (body) => pipe.validateParameter(body, { type: 'body', metatype });
      },
    ],
  ];

  it.each(ways)('do not cause unlimited compilation of %s', (_what, open) => {
    const check = open();
    for (const body of bodies()) for (let time = 0; time < TIMES; time += 1) void check(body);
    expect(programs).toBeGreaterThan(0);
    expect(programs).toBeLessThanOrEqual(MOST_PROGRAMS);
  });

  const part = { a: 'a', b: 'b', c: 'c', d: 'd' };
  const { c: _c, ...incomplete } = part;
  const orderly: [string, object, boolean][] = [
    ['in another order', { d: 'd', c: 'c', b: 'b', a: 'a' }, true],
    ['without one', incomplete, false],
  ];
  it.each(ways)('are compiled for by %s, if many values have the same', (_what, open) => {
    for (const [how, value, isValid] of orderly) {
      const check = open();
      const body = { count: 1, part: value, other: part };
      const first = check(body) as object;
      const before = programs;
      for (let time = 0; time < TIMES; time += 1) void check(body);
      const last = check(body) as object;
      expect([how, programs > before]).toEqual([how, true]);
      expect(last).toEqual(first);
      expect(keysOf(last)).toEqual(keysOf(first));
      expect([how, 'errors' in last || 'error' in last]).toEqual([how, !isValid]);
    }
  });

  const names: [string, readonly string[]][] = [
    ['of every object', ['toString']],
    ['of any kind', ['more']],
  ];
  it.each(names)('are not compiled for, if they have unknown names %s', (_what, unknown) => {
    const validator = compileValidator(makeClasses(), { whitelist: true });
    const body = {
      count: 1,
      part: { ...part, ...Object.fromEntries(unknown.map((name) => [name, 1])) },
      other: part,
    };
    void validator.check(body);
    const before = programs;
    for (let time = 0; time < TIMES; time += 1) void validator.check(body);
    expect(programs).toBe(before);
  });
});
