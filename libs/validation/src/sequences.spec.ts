import 'reflect-metadata';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { differenceOf } from '../testing/difference';
import { compileValidator } from './compile-validator';
import { plainToInstance, validateSync } from './drop-in';

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

/** What a function answers, or what it throws. */
function outcomeOf(ask: () => unknown): unknown {
  try {
    return { answer: ask() };
  } catch (error) {
    return { thrown: String(error) };
  }
}

describe('calls one after another', () => {
  it('are told of the groups that a list holds at each call', () => {
    const sent = { secret: 's', name: 'n' };
    const steps = (make: typeof transformer.plainToInstance) => {
      const groups = ['user2'];
      const made = [make(Account, sent, { groups })];
      groups.push('admin');
      made.push(make(Account, sent, { groups }));
      made.push(make(Account, sent, { groups: ['user2'] }));
      return made;
    };
    expect(differenceOf(steps(plainToInstance), steps(transformer.plainToInstance))).toBeUndefined();
  });

  it('run the rules of the groups that a list holds at each call', () => {
    const steps = (check: typeof validator.validateSync) => {
      const instance = Object.assign(new Rated(), { rate: 3 });
      const groups = ['a'];
      const found = [check(instance, { groups })];
      groups[0] = 'b';
      found.push(check(instance, { groups }));
      found.push(check(instance, { groups: ['a'] }));
      return found;
    };
    expect(differenceOf(steps(validateSync), steps(validator.validateSync))).toBeUndefined();
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
