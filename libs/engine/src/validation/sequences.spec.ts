import 'reflect-metadata';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { differenceOf } from '../../testing/validation/difference';
import { compileValidator } from './validators/compile-validator';
import { plainToInstance, validateSync } from './validators/drop-in';

class Account {
  @transformer.Expose({ groups: ['admin'] }) secret?: string;
  @transformer.Expose({ groups: ['user2', 'admin'] }) name?: string;
}

class Rated {
  @validator.Min(5, { groups: ['a'] }) @validator.Max(2, { groups: ['b'] }) rate!: number;
}

class Tenancy {
  @transformer.Transform(({ options }) => Reflect.get(options, 'tenant') as unknown) tenant?: string;
}

/** A function's result, or its error. */
function outcomeOf(ask: () => unknown): unknown {
  try {
    return { result: ask() };
  } catch (error) {
    return { thrown: String(error) };
  }
}

describe('calls one after another', () => {
  it('receive the groups that a list contains at each call', () => {
    const sent = { secret: 's', name: 'n' };
    const steps = (make: typeof transformer.plainToInstance) => {
      const groups = ['user2'];
      const instances = [make(Account, sent, { groups })];
      groups.push('admin');
      instances.push(make(Account, sent, { groups }));
      instances.push(make(Account, sent, { groups: ['user2'] }));
      return instances;
    };
    expect(differenceOf(steps(plainToInstance), steps(transformer.plainToInstance))).toBeUndefined();
  });

  it('run the rules of the groups that a list holds at each call', () => {
    const steps = (check: typeof validator.validateSync) => {
      const instance = Object.assign(new Rated(), { rate: 3 });
      const groups = ['a'];
      const results = [check(instance, { groups })];
      groups[0] = 'b';
      results.push(check(instance, { groups }));
      results.push(check(instance, { groups: ['a'] }));
      return results;
    };
    expect(differenceOf(steps(validateSync), steps(validator.validateSync))).toBeUndefined();
  });

  it.each([
    'always',
    'strictGroups',
    'stopAtFirstError',
    'dismissDefaultMessages',
    'skipMissingProperties',
    'skipNullProperties',
    'skipUndefinedProperties',
    'forbidUnknownValues',
  ])('obey an option that is set between them: %s', (flag) => {
    class Sensitive {
      @validator.Min(5, { groups: ['a'] }) @validator.Max(2) rate!: number;
      @validator.IsInt() nothing!: unknown;
      @validator.IsInt() empty!: unknown;
    }
    class Empty {}
    const steps = (check: typeof validator.validateSync) => {
      const instance = Object.assign(new Sensitive(), { rate: 3, nothing: undefined, empty: null });
      return [[], ['a']].flatMap((groups) => {
        const options = { groups };
        const before = [check(instance, options), check(new Empty(), options)];
        Reflect.set(options, flag, flag !== 'forbidUnknownValues');
        return [...before, check(instance, options), check(new Empty(), options)];
      });
    };
    const results = steps(validateSync);
    expect(differenceOf(results, steps(validator.validateSync))).toBeUndefined();
    const before = results.filter((_, at) => at % 4 < 2);
    expect(results.filter((_, at) => at % 4 >= 2)).not.toEqual(before);
  });

  it.each([
    ['enableImplicitConversion', true],
    ['exposeDefaultValues', true],
    ['exposeUnsetFields', false],
    ['exposeUnsetFields', undefined],
    ['excludeExtraneousValues', true],
    ['ignoreDecorators', true],
    ['strategy', 'excludeAll'],
    ['version', 1],
    ['groups', ['b']],
    ['excludePrefixes', ['_']],
  ])('obey an option of class-transformer that is set between them: %s', (flag, value) => {
    class Chosen {
      @transformer.Expose({ since: 2 }) late? = 'x';
      @transformer.Expose({ groups: ['b'] }) secret?: string;
      @validator.IsOptional() count?: number;
      @validator.IsOptional() _note?: string;
    }
    const steps = (make: typeof transformer.plainToInstance) => {
      const options = {};
      const makeChosen = () =>
        make(Chosen, { late: undefined, secret: 'y', count: '1', _note: 'z' }, options);
      const before = makeChosen();
      Reflect.set(options, flag, value);
      return [before, makeChosen()];
    };
    const results = steps(plainToInstance);
    expect(differenceOf(results, steps(transformer.plainToInstance))).toBeUndefined();
    expect(results[1]).not.toEqual(results[0]);
  });

  it.each(['target', 'value'])('obey what an error is to have, set between them: %s', (member) => {
    const options = { validationError: { target: true, value: true } };
    const instance = Object.assign(new Rated(), { rate: 3 });
    const before = validateSync(instance, options);
    Reflect.set(options.validationError, member, false);
    const after = validateSync(instance, options);
    expect(differenceOf(after, validator.validateSync(instance, options))).toBeUndefined();
    expect(Object.keys(after[0]!)).toEqual(Object.keys(before[0]!).filter((key) => key !== member));
  });

  it('compile once for options that are written anew at each call', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    for (let time = 0; time < 300; time++) {
      const instance = plainToInstance(Account, { name: 'x' }, { groups: ['user2'], version: Number.NaN });
      validateSync(instance, { whitelist: true, groups: ['a'], validationError: { target: false } });
    }
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('compile for the groups that were given, whatever becomes of their list', () => {
    const groups = ['a'];
    const { check } = compileValidator(Rated, { groups });
    groups[0] = 'b';
    expect(check({ rate: 3 })).toMatchObject({ errors: [{ constraints: { min: expect.any(String) } }] });
  });

  it('tell a transform of every option, known or not', () => {
    const steps = (make: typeof transformer.plainToInstance) =>
      ['A', 'B'].map((tenant) =>
        make(Tenancy, { tenant: 1 }, { tenant } as transformer.ClassTransformOptions),
      );
    expect(differenceOf(steps(plainToInstance), steps(transformer.plainToInstance))).toBeUndefined();
  });

  it('make maps of what is to be one, whatever it comes from', () => {
    class Held {
      @transformer.Type(() => Map) byType: unknown;
      @validator.IsOptional() noted?: Map<string, number>;
    }
    const inputs = [
      { byType: { a: 1, size: 2 }, noted: { b: { c: 1 } } },
      new Map([['byType', 1]]),
      { noted: new Map([['a', 1]]) },
    ];
    for (const input of inputs)
      for (const enableImplicitConversion of [true, false]) {
        const ours: unknown = plainToInstance(Held, input, { enableImplicitConversion });
        const theirs: unknown = transformer.plainToInstance(Held, input, { enableImplicitConversion });
        expect(differenceOf(ours, theirs)).toBeUndefined();
      }
  });

  it('forget what a transform wrote into its options, and tell it of the very list of groups', () => {
    class Writing {
      @transformer.Transform(({ options }) => {
        const notified = [options.version, options.groups];
        options.version = 7;
        return notified;
      })
      notified?: unknown;
    }
    const groups = ['a'];
    for (let call = 0; call < 2; call++) {
      const instance = plainToInstance(Writing, { notified: 1 }, { groups });
      expect(instance.notified).toEqual([undefined, ['a']]);
      expect((instance.notified as unknown[])[1]).toBe(groups);
    }
  });

  it('select properties by the options of the caller, whatever a transform writes to its own', () => {
    class Promoting {
      @transformer.Transform(({ options }) => Object.assign(options, { groups: ['admin'] }).groups)
      first?: unknown;
      @transformer.Expose({ groups: ['admin'] }) secret?: unknown;
      @transformer.Transform(({ options }) => options.groups) last?: unknown;
    }
    const instance = plainToInstance(Promoting, { first: 1, secret: 2, last: 3 }, { groups: ['user'] });
    expect(instance).toEqual({ first: ['admin'], last: ['admin'] });
  });

  it('run the rules as they were stored when a decorator ran last', () => {
    class Edited {
      @validator.Max(3) count!: number;
    }
    class Other {}
    const instance = Object.assign(new Edited(), { count: 5 });
    const storage = validator.getMetadataStorage();
    const errors = () => validateSync(instance).length;
    expect(errors()).toBe(1);
    const [stored] = storage.getTargetValidationMetadatas(Edited, '', false, false);
    stored!.constraints[0] = 9;
    expect(errors()).toBe(1);
    validator.IsInt()(Other.prototype, 'any');
    expect(errors()).toBe(0);
  });

  it('throw what the libraries throw, in the same words', () => {
    class Wordless {
      @validator.ValidateBy({
        name: 'wordless',
        validator: { validate: () => false, defaultMessage: () => 5 as never },
      })
      @validator.IsInt({ message: () => 5 as never })
      a!: unknown;
    }
    class Typeless {
      @transformer.Type(() => {
        throw new RangeError('not there yet');
      })
      @validator.ValidateNested()
      a!: unknown;
    }
    for (const type of [Wordless, Typeless]) {
      const { explain } = compileValidator<object>(type);
      expect(explain().how).toBe('code');
      for (const input of [{ a: 1 }, { a: {} }]) {
        const ours = outcomeOf(() => validateSync(plainToInstance<object, object>(type, input)));
        const theirs = outcomeOf(() =>
          validator.validateSync(transformer.plainToInstance<object, object>(type, input)),
        );
        expect(differenceOf(ours, theirs)).toBeUndefined();
      }
    }
  });

  it('take null for no options', () => {
    const none = null as never;
    const pairs: [unknown, unknown][] = [
      [
        outcomeOf(() => plainToInstance(Account, {}, none)),
        outcomeOf(() => transformer.plainToInstance(Account, {}, none)),
      ],
      [
        outcomeOf(() => validateSync(new Rated(), none)),
        outcomeOf(() => validator.validateSync(new Rated(), none)),
      ],
    ];
    for (const [ours, theirs] of pairs) expect(differenceOf(ours, theirs)).toBeUndefined();
  });
});
