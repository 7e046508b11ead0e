import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { compileValidator } from './validators/compile-validator';
import { installedPipeSoon } from '../nest/pipe/installed.pipe';
import { ValidationPipe } from '../nest/pipe/validation.pipe';

/** The most compiled functions per class, whatever the order of keys. */
const MOST_PROGRAMS = 10;

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
    for (const body of bodies()) void check(body);
    expect(programs).toBeGreaterThan(0);
    expect(programs).toBeLessThanOrEqual(MOST_PROGRAMS);
  });
});
