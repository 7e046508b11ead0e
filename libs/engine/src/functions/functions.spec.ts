import 'reflect-metadata';
import * as classTransformer from 'class-transformer';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import * as classValidator from 'class-validator';
import { IsEmail, IsInt, ValidateBy, ValidateNested } from 'class-validator';
import { differenceOf } from '../../testing/validation/difference';
import * as engine from '../drop-in';

class Part {
  @IsInt() @Type(() => Number) count!: number;
  @Expose({ groups: ['staff'] }) note?: string;
}

class Whole {
  @IsEmail({}, { groups: ['mail'], always: true }) email!: string;
  @ValidateNested({ each: true }) @Type(() => Part) parts!: Part[];
  @Transform(({ value }) => value as unknown, { toClassOnly: true }) when?: Date;
  @Exclude() secret?: string;
  @ValidateBy({ name: 'late', validator: { validate: (value) => Promise.resolve(value !== 1) } })
  late?: number;
}

type Library = typeof classTransformer & typeof classValidator;

const inputs: readonly object[] = [
  { email: 'a@b.co', parts: [{ count: '1', note: 'x' }] },
  { email: 'a', parts: [{ count: 'x' }, 7], late: 1, secret: 's', extra: true },
  [{ email: 'a@b.co' }, { parts: [] }],
  {},
];

const transformOptions: (classTransformer.ClassTransformOptions | undefined)[] = [
  undefined,
  {},
  { groups: ['staff'] },
  { excludeExtraneousValues: true, exposeUnsetFields: false },
  { enableImplicitConversion: true },
  { enableCircularCheck: true },
];

const validatorOptions: (classValidator.ValidatorOptions | undefined)[] = [
  undefined,
  {},
  { whitelist: true, forbidNonWhitelisted: true },
  { groups: ['mail'], validationError: { target: false } },
];

const instanceFrom = (input: object) => classTransformer.plainToInstance(Whole, structuredClone(input));

type Call<Options> = (library: Library, input: object, options: Options | undefined) => unknown;

/** Every function that converts, called as its users call it. */
const conversions: Record<string, Call<classTransformer.ClassTransformOptions>> = {
  plainToInstance: (library, input, options) => library.plainToInstance(Whole, input, options),
  plainToClass: (library, input, options) => library.plainToClass(Whole, input, options),
  instanceToPlain: (library, input, options) => library.instanceToPlain(instanceFrom(input), options),
  classToPlain: (library, input, options) => library.classToPlain(instanceFrom(input), options),
  serialize: (library, input, options) => library.serialize(instanceFrom(input), options),
  deserialize: (library, input, options) => library.deserialize(Whole, JSON.stringify(input), options),
  deserializeArray: (library, input, options) =>
    library.deserializeArray(Whole, JSON.stringify([input].flat()), options),
  instanceToInstance: (library, input, options) => library.instanceToInstance(instanceFrom(input), options),
  plainToClassFromExist: (library, input, options) =>
    library.plainToClassFromExist(Object.assign(new Whole(), { late: 3 }), input, options),
  classToPlainFromExist: (library, input, options) =>
    library.classToPlainFromExist(instanceFrom(input), { late: 3 }, options),
  classToClassFromExist: (library, input, options) =>
    library.classToClassFromExist(instanceFrom(input), new Whole() as never, options),
  ClassTransformer: (library, input, options) => {
    const transformer = new library.ClassTransformer();
    expect(transformer).toBeInstanceOf(classTransformer.ClassTransformer);
    const instance = transformer.plainToInstance(Whole, input, options);
    return [
      instance,
      transformer.instanceToPlain(instance as object, options),
      transformer.serialize(instance, options),
      transformer.deserialize(Whole, JSON.stringify(input), options),
      transformer.deserializeArray(Whole, JSON.stringify([input].flat()), options),
    ];
  },
  TransformPlainToInstance: (library, input, options) => {
    class Store {
      @library.TransformPlainToInstance(Whole, options) read() {
        return input;
      }
      @library.TransformPlainToInstance(Whole, options) async readLater() {
        return input;
      }
    }
    return new Store().readLater().then((later) => [new Store().read(), later]);
  },
  TransformInstanceToPlain: (library, input, options) => {
    class Store {
      private readonly kept = instanceFrom(input);
      @library.TransformInstanceToPlain(options) read() {
        return this.kept;
      }
      @library.TransformInstanceToPlain(options) async readLater() {
        return this.kept;
      }
    }
    return new Store().readLater().then((later) => [new Store().read(), later]);
  },
  TransformInstanceToInstance: (library, input, options) => {
    class Store {
      @library.TransformInstanceToInstance(options) read() {
        return instanceFrom(input);
      }
    }
    return new Store().read();
  },
};

/** Every function that validates. */
const validations: Record<string, Call<classValidator.ValidatorOptions>> = {
  validate: (library, input, options) => library.validate(instanceFrom(input), options),
  validateSync: (library, input, options) => library.validateSync(instanceFrom(input), options),
  validateOrReject: (library, input, options) => library.validateOrReject(instanceFrom(input), options),
  Validator: async (library, input, options) => {
    const validator = new library.Validator();
    expect(validator).toBeInstanceOf(classValidator.Validator);
    return [
      await validator.validate(instanceFrom(input), options),
      validator.validateSync(instanceFrom(input), options),
      await validator.validateOrReject(instanceFrom(input), options).catch((errors: unknown) => ({ errors })),
    ];
  },
};

async function outcomeOf(run: () => unknown): Promise<unknown> {
  try {
    return { returned: await run() };
  } catch (thrown) {
    return { thrown };
  }
}

/** The first difference between our result and that of the libraries. */
async function differenceIn<Options>(
  call: Call<Options>,
  choices: readonly (Options | undefined)[],
): Promise<string | undefined> {
  const cases = choices.flatMap((options) => inputs.map((input) => ({ options, input })));
  for (const { options, input } of cases) {
    const [ours, theirs] = [engine, { ...classTransformer, ...classValidator }].map((library) =>
      outcomeOf(() => call(library, structuredClone(input), options)),
    );
    const difference = differenceOf(await ours, await theirs);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

describe('the functions of the libraries', () => {
  it.each(Object.entries(conversions))('%s returns the same', async (_name, call) => {
    expect(await differenceIn(call, transformOptions)).toBeUndefined();
  });

  it.each(Object.entries(validations))('%s returns the same', async (_name, call) => {
    expect(await differenceIn(call, validatorOptions)).toBeUndefined();
  });

  it('are all compared', () => {
    const isOwn = (name: string) => Reflect.get(engine, name) === Reflect.get(classValidator, name);
    const functions = ['validate', 'validateSync', 'validateOrReject', 'Validator'];
    expect(Object.keys(validations)).toEqual(functions);
    expect(functions.some(isOwn)).toBe(false);
    const decorators = new Set(['Exclude', 'Expose', 'Transform', 'Type', 'TransformationType', 'default']);
    const names = Object.keys(classTransformer).filter((name) => !decorators.has(name));
    expect(Object.keys(conversions).toSorted()).toEqual(names.toSorted());
  });

  it('can be overridden in a subclass', () => {
    class Lenient extends engine.Validator {
      override validateSync(): classValidator.ValidationError[] {
        return [];
      }
    }
    expect(new Lenient().validateSync()).toEqual([]);
    expect(Object.keys(new engine.ClassTransformer())).toEqual([]);
  });
});
