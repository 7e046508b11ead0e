import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import {
  IsEmail,
  IsInt,
  IsOptional,
  ValidateBy,
  ValidateNested,
  type ValidatorOptions,
} from 'class-validator';
import { differenceOf } from '../../../testing/validation/difference';
import { compileValidator } from './compile-validator';
import { plainToInstance, validate, validateOrReject, validateSync } from './drop-in';
import { standardSchema } from './standard-schema';

class Part {
  @IsInt() count!: number;
}

class Whole {
  @IsEmail({}, { groups: ['mail'], always: true }) email!: string;
  @ValidateNested() @classTransformer.Type(() => Part) part!: Part;
  @ValidateBy({ name: 'late', validator: { validate: (value) => Promise.resolve(value !== 1) } })
  late?: number;
}

const inputs = [
  { email: 'a@b.co', part: { count: 1 } },
  { email: 'a', part: { count: '1' }, late: 1, extra: true },
  { part: 7 },
];

const choices: (classValidator.ValidatorOptions | undefined)[] = [
  undefined,
  {},
  { whitelist: true },
  { whitelist: true, forbidNonWhitelisted: true, groups: ['mail'] },
  { validationError: { target: false, value: false }, stopAtFirstError: true },
];

describe('functions with the libraries’ own signatures', () => {
  it.each(inputs)('return the same for %j', async (input) => {
    for (const options of choices) {
      const [ours, theirs] = [plainToInstance(Whole, input), classTransformer.plainToInstance(Whole, input)];
      expect(differenceOf(ours, theirs)).toBeUndefined();
      expect(
        differenceOf(await validate(ours, options), await classValidator.validate(theirs, options)),
      ).toBeUndefined();
      expect(
        differenceOf(validateSync(ours, options), classValidator.validateSync(theirs, options)),
      ).toBeUndefined();
    }
  });

  it('reject with the list of errors', async () => {
    const wrong = plainToInstance(Part, { count: 'x' });
    await expect(validateOrReject(wrong)).rejects.toEqual(classValidator.validateSync(wrong));
    await expect(validateOrReject(plainToInstance(Part, { count: 1 }))).resolves.toBeUndefined();
  });

  it('keep and drop the same fields, if they are named like members of every object', () => {
    const names = ['hasOwnProperty', '__proto__', 'toString', 'count', 'extra'];
    const sent = (order: readonly string[]) => {
      const part = new Part();
      for (const name of order)
        Object.defineProperty(part, name, { value: 1, enumerable: true, configurable: true, writable: true });
      return part;
    };
    for (const order of [names, names.toReversed()]) {
      const [ours, theirs] = [sent(order), sent(order)];
      const options = { whitelist: true };
      expect(validateSync(ours, options)).toEqual(classValidator.validateSync(theirs, options));
      expect(Reflect.ownKeys(ours)).toEqual(Reflect.ownKeys(theirs));
    }
  });

  it('17: throw synchronously without a class', () => {
    expect(() => validate(null as never)).toThrow(TypeError);
    expect(() => validateSync(Object.create(null) as object)).toThrow(TypeError);
  });

  it('apply a decorator that runs later, with options that were used before', () => {
    class Late {
      @IsInt() count!: unknown;
    }
    const late = plainToInstance(Late, { count: 1 });
    expect(validateSync(late)).toEqual([]);
    IsEmail()(Late.prototype, 'count');
    expect(validateSync(late)).toHaveLength(1);
  });
});

describe('options that are different in every call', () => {
  it('are distinguished in turns, and when one is changed', () => {
    const turns: ValidatorOptions[] = Array.from({ length: 12 }, (_, at) => ({
      groups: [`${at % 10}`, 'mail'],
    }));
    turns.push(...choices.map((choice) => ({ ...choice })), { groups: [] });
    for (const options of [...turns, ...turns]) {
      const sent = { email: 'a', part: { count: '1' }, extra: true };
      const [ours, theirs] = [plainToInstance(Whole, sent), classTransformer.plainToInstance(Whole, sent)];
      expect(
        differenceOf(validateSync(ours, options), classValidator.validateSync(theirs, options)),
      ).toBeUndefined();
      expect(differenceOf(ours, theirs)).toBeUndefined();
      Object.assign(options, { whitelist: !options.whitelist });
      options.groups?.push('mail');
    }
  });

  it('are distinguished by their members and lists, when an instance is created', () => {
    class Shown {
      @classTransformer.Expose({ groups: ['a'] }) first?: string;
      @classTransformer.Expose({ groups: ['b'] }) second?: string;
    }
    const groups = ['a'];
    const first = { groups, exposeDefaultValues: true };
    const turns = [first, { exposeDefaultValues: true, groups }, { groups }, undefined, null, {}, first];
    for (const options of [...turns, ...turns]) {
      const make = (from: Pick<typeof classTransformer, 'plainToInstance'>) =>
        from.plainToInstance(Shown, { first: 'yes', second: 'no' }, options as typeof first);
      expect(differenceOf(make({ plainToInstance }), make(classTransformer))).toBeUndefined();
      groups.push(groups.shift() === 'a' ? 'b' : 'a');
      expect(differenceOf(make({ plainToInstance }), make(classTransformer))).toBeUndefined();
    }
  });

  it('are read like by the libraries, if they are inherited', () => {
    class Grouped {
      @classTransformer.Expose({ groups: ['a'] }) hidden?: string;
      @IsEmail({}, { groups: ['b'] }) @IsInt({ groups: ['a'] }) shown = true;
    }
    const own = { groups: ['a'] };
    const inherited = Object.create(own) as { groups?: string[] };
    for (const options of [own, inherited, own, {}, inherited]) {
      const grouped = plainToInstance(Grouped, { hidden: 'no' }, options);
      expect(grouped).toEqual(classTransformer.plainToInstance(Grouped, { hidden: 'no' }, options));
      const errors = validateSync(grouped, options);
      expect(differenceOf(errors, classValidator.validateSync(grouped, options))).toBeUndefined();
    }
  });

  it('retain almost no memory', async () => {
    const use = (from: number): number => {
      for (let at = from; at < from + 500; at += 1) {
        const groups = [`${at}${'x'.repeat(20_000)}`];
        validateSync(plainToInstance(Part, { count: 1 }, { groups }), { groups });
      }
      return heapUsed();
    };
    const before = use(0);
    use(500);
    // V8 may keep what is unused through several collections.
    await vi.waitFor(() => expect(heapUsed() - before).toBeLessThan(5 * 2 ** 20), 10_000);
  });
});

/** Memory in use, in bytes. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

describe('a class as a Standard Schema', () => {
  it('returns an instance, or issues with their paths', async () => {
    const schema = standardSchema(Whole, { ignoreAsync: true })['~standard'];
    expect(schema.validate(inputs[0])).toEqual({ value: inputs[0] });
    expect(await schema.validate(inputs[1])).toEqual({
      issues: [
        { message: 'email must be an email', path: ['email'] },
        { message: 'count must be an integer number', path: ['part', 'count'] },
      ],
    });
  });
});

describe('a class that is left to the libraries', () => {
  afterEach(() => void vi.restoreAllMocks());

  const entries: [string, (type: new () => object, options: ValidatorOptions) => unknown][] = [
    ['validateSync', (type, options) => validateSync(new type(), options)],
    ['compileValidator', (type, options) => compileValidator(type, options).check({})],
    [
      'a hardened validator',
      (type, options) => compileValidator(type, { ...options, hardened: true }).check({}),
    ],
    ['plainToInstance', (type) => plainToInstance(type, {}, { enableCircularCheck: true })],
  ];

  it.each(entries)('is constraints once with its reason, by %s', async (_entry, check) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    class Left {
      @IsOptional() name?: string;
    }
    for (let time = 0; time < 3; time++) await check(Left, { enableDebugMessages: true });
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('Left is validated by the libraries: '),
      { type: 'SluiceWarning', code: 'SLUICE_NOT_COMPILED' },
    );
  });
});
