import {
  BadRequestException,
  HttpException,
  HttpStatus,
  type Paramtype,
  type Type as Class,
  ValidationPipe as NestPipe,
  Logger,
} from '@nestjs/common';
import { Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import * as fc from 'fast-check';
import { InvalidInputError } from './errors';
import { invalidInput } from './invalid-input';
import { ValidationPipe, type ValidationPipeOptions } from '@app/engine';
import { ListQuery } from '@app/engine/testing';

class Leaf {
  @MinLength(2)
  @IsString()
  name!: string;

  @IsOptional()
  @IsEmail()
  email?: string;
}

class Branch {
  @Min(1, { always: true })
  @IsInt({ groups: ['a'] })
  count!: number;

  @ValidateNested()
  @Type(() => Leaf)
  leaf!: Leaf;

  size(): number {
    return this.count;
  }
}

class Tree {
  @MaxLength(5, { groups: ['a', 'b'] })
  @MinLength(2, { groups: ['a'], message: '$property is too short: $value' })
  @IsString()
  name!: string;

  @ArrayMaxSize(3)
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Branch)
  items!: Branch[];

  @IsBoolean({ each: true })
  @IsOptional()
  flags?: boolean[];

  @ValidateIf((tree: Tree) => tree.name !== 'skip')
  @IsDefined()
  leaf: unknown = 'default';

  @Allow()
  email: unknown;

  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value))
  @IsInt()
  @IsOptional()
  count?: number;

  @Expose({ name: 'e_mail' })
  @Matches(/^a/)
  @IsOptional()
  contact?: string;
}

class HeirOfTree extends Tree {
  @IsString()
  override name!: string;

  get size(): number {
    return this.items.length;
  }
}

const fieldNames = [
  'name',
  'items',
  'flags',
  'leaf',
  'email',
  'count',
  'e_mail',
  'contact',
  'limit',
  'page',
  'extra',
  '7',
];
const memberNames = [
  'toString',
  'valueOf',
  'hasOwnProperty',
  'size',
  'constructor',
  'prototype',
  '__proto__',
  'then',
];
const texts = fc.constantFrom(
  '',
  'a',
  'a@b.co',
  'skip',
  'longer text',
  '10',
  '1e1',
  'true',
  '$value $property',
);

function inputsOf(names: readonly string[]): fc.Arbitrary<unknown> {
  return fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(texts, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
      tie('object'),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
    object: fc
      .tuple(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...names), tie('value')), {
          selector: ([name]) => name,
          maxLength: 5,
        }),
        fc.constantFrom(...bases),
      )
      .map(asJson),
  })).object;
}

/** As by JSON.parse: every name is an own field, `__proto__` too. Some inputs are valid except for additional fields. */
function asJson([entries, base]: [[string, unknown][], object]): unknown {
  return Object.fromEntries([...Object.entries(structuredClone(base)), ...entries]);
}

const goodLeaf = { name: 'leaf', email: 'a@b.co' };
const goodBranch = { count: 3, leaf: goodLeaf };
const goodTree = {
  name: 'tree',
  items: [goodBranch, goodBranch],
  flags: [true],
  leaf: 1,
  count: '7',
  e_mail: 'a',
};
const bases = [{}, goodLeaf, goodBranch, goodTree, { limit: '7', page: '2' }];

const classes: readonly Class[] = [Leaf, Branch, Tree, HeirOfTree, ListQuery];

/** The unchanged errors of class-validator. */
function whatWasFound(errors: unknown): HttpException {
  return new HttpException({ errors }, HttpStatus.CONFLICT);
}

async function whatWasFoundLater(errors: unknown): Promise<HttpException> {
  return whatWasFound(errors);
}

const options: fc.Arbitrary<ValidationPipeOptions> = fc.record(
  {
    transform: fc.boolean(),
    whitelist: fc.boolean(),
    forbidNonWhitelisted: fc.boolean(),
    forbidUnknownValues: fc.boolean(),
    stopAtFirstError: fc.boolean(),
    skipMissingProperties: fc.boolean(),
    always: fc.boolean(),
    strictGroups: fc.boolean(),
    groups: fc.subarray(['a', 'b']),
    disableErrorMessages: fc.boolean(),
    errorFormat: fc.constantFrom('list', 'grouped'),
    maxErrorMessagesLength: fc.constantFrom(1, 60, 200),
    errorHttpStatusCode: fc.constantFrom(HttpStatus.UNPROCESSABLE_ENTITY, HttpStatus.BAD_REQUEST),
    exceptionFactory: fc.constantFrom(whatWasFound, whatWasFoundLater),
    validateCustomDecorators: fc.boolean(),
    expectedType: fc.constantFrom(...classes),
    skipNullProperties: fc.boolean(),
    skipUndefinedProperties: fc.boolean(),
    dismissDefaultMessages: fc.boolean(),
    validationError: fc.record({ target: fc.boolean(), value: fc.boolean() }, { requiredKeys: [] }),
    transformOptions: fc.record(
      {
        enableImplicitConversion: fc.boolean(),
        excludeExtraneousValues: fc.boolean(),
        exposeDefaultValues: fc.boolean(),
        exposeUnsetFields: fc.boolean(),
        groups: fc.subarray(['a', 'b']),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const kinds: readonly Paramtype[] = ['body', 'query', 'param', 'custom'];

/** The result of a pipe: the value and its class, or the body of the error. */
async function outcomeOf(
  pipe: NestPipe,
  input: unknown,
  metatype: Class | undefined,
  type: Paramtype,
  data?: string,
): Promise<unknown> {
  try {
    const value: unknown = await pipe.transform(structuredClone(input), { type, metatype, data });
    return { value, class: Object(value).constructor };
  } catch (error) {
    return error instanceof HttpException ? [error.getStatus(), error.getResponse()] : String(error);
  }
}

describe('our pipe', () => {
  it("has the framework's results and errors, including their order", async () => {
    await fc.assert(
      fc.asyncProperty(
        options,
        fc.constantFrom(...classes),
        fc.constantFrom(...kinds),
        inputsOf(fieldNames),
        async (pipeOptions, metatype, kind, input) => {
          const ours = await outcomeOf(new ValidationPipe(pipeOptions), input, metatype, kind);
          const theirs = await outcomeOf(new NestPipe(pipeOptions), input, metatype, kind);
          expect(ours).toEqual(theirs);
          expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("has the framework's results for fields named like members", async () => {
    await fc.assert(
      fc.asyncProperty(
        options,
        fc.constantFrom(...classes),
        inputsOf([...fieldNames, ...memberNames]),
        async (pipeOptions, metatype, input) => {
          const ours = await outcomeOf(new ValidationPipe(pipeOptions), input, metatype, 'body');
          expect(ours).toEqual(await outcomeOf(new NestPipe(pipeOptions), input, metatype, 'body'));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('logs once per class that the libraries validate it, and why', async () => {
    const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const pipe = new ValidationPipe({ transform: true, enableDebugMessages: true });
    for (let call = 0; call < 2; call++)
      expect(await pipe.transform({ name: 'leaf' }, { type: 'body', metatype: Leaf })).toBeInstanceOf(Leaf);
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('Leaf is validated by the libraries: enable')],
    ]);
    warn.mockRestore();
  });

  it('converts single primitives as the framework does, unless it keeps them', async () => {
    const metatypes = [Number, Boolean, String, Array, Object, undefined];
    const values = ['1', '', 'abc', 'true', 'false', '1', undefined, null, true, 7, ['1']];
    const places = [
      ['query', 'n'],
      ['param', 'id'],
      ['query', undefined],
      ['body', 'n'],
      ['custom', 'n'],
    ] as const;
    for (const metatype of metatypes)
      for (const value of values)
        for (const [type, data] of places)
          for (const transform of [true, false]) {
            const [ours, theirs] = [new ValidationPipe({ transform }), new NestPipe({ transform })];
            expect(await outcomeOf(ours, value, metatype, type, data)).toEqual(
              await outcomeOf(theirs, value, metatype, type, data),
            );
          }
    const keeping = new ValidationPipe({ transform: true, keepPrimitives: true });
    expect(await keeping.transform('1', { type: 'query', metatype: Number, data: 'n' })).toBe('1');
  });

  it('returns a promise, and rejects by it', async () => {
    const pipe = new ValidationPipe({ transform: true, whitelist: true });
    const body = { type: 'body', metatype: Leaf } as const;
    const returned = pipe.transform({ name: 'leaf' }, body);
    expect(returned).toBeInstanceOf(Promise);
    expect(await returned).toBeInstanceOf(Leaf);
    await expect(pipe.transform({ name: 1 }, body)).rejects.toBeInstanceOf(BadRequestException);
    const exceptionFactory = () => {
      throw new RangeError('of the factory');
    };
    const failing = new ValidationPipe({ transform: true, exceptionFactory });
    await expect(failing.transform({ name: 1 }, body)).rejects.toBeInstanceOf(RangeError);
  });

  it('calls what a subclass overrides', async () => {
    class Lenient extends ValidationPipe {
      protected override stripProtoKeys(value: unknown): void {
        super.stripProtoKeys(value);
        Reflect.set(Object(value), 'name', 'given by the subclass');
      }
    }
    const pipe = new Lenient({ transform: true });
    const body = { type: 'body', metatype: Leaf } as const;
    expect(await pipe.transform({}, body)).toEqual({ name: 'given by the subclass' });
  });

  it('returns a value or an HttpError if it is hardened, for any input', async () => {
    await fc.assert(
      fc.asyncProperty(
        options,
        fc.constantFrom(...classes),
        fc.oneof(
          inputsOf([...fieldNames, ...memberNames]),
          fc.jsonValue({ noUnicodeString: false }),
          fc.anything(),
        ),
        async (pipeOptions, metatype, input) => {
          const pipe = new ValidationPipe({ ...pipeOptions, hardened: true, exceptionFactory: invalidInput });
          const thrown = await Promise.resolve(pipe.transform(input, { type: 'body', metatype })).then(
            () => undefined,
            (error: unknown) => error,
          );
          expect(thrown instanceof InvalidInputError ? undefined : thrown).toBeUndefined();
        },
      ),
      { numRuns: 1500 },
    );
  });

  it.each([
    ['', memberNames],
    ['items.0.', memberNames],
    ['items.0.leaf.', memberNames.filter((name) => name !== 'size')],
  ])('accepts no field named like a member if it is hardened: %s', async (path, names) => {
    const pipe = new ValidationPipe({
      hardened: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: invalidInput,
    });
    for (const name of names) {
      const refused = pipe.transform(treeWith(path, name), { type: 'body', metatype: HeirOfTree });
      await expect(refused).rejects.toMatchObject({
        reply: { message: [`${path}property ${name} should not exist`] },
      });
    }
  });
});

/** A valid tree with one unknown field, in the object at `path`. */
function treeWith(path: string, name: string): unknown {
  const leaf = { name: 'leaf' };
  const branch = { count: 1, leaf };
  const tree = { name: 'tree', items: [branch] };
  const level = [leaf, branch, tree][['items.0.leaf.', 'items.0.', ''].indexOf(path)] ?? tree;
  Object.defineProperty(level, name, { value: 1, enumerable: true, configurable: true, writable: true });
  return tree;
}
