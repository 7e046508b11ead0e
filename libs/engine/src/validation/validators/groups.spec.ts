import { IsEmail, IsInt, IsString, validateSync as reference } from 'class-validator';
import { rulesGeneration } from '../../shapes/rules/storage';
import { engineFor } from './engine';
import { validateSync } from './drop-in';

class Grouped {
  @IsString({ groups: ['create', 'update'] }) name: unknown;
  @IsInt({ groups: ['update'] }) age: unknown;
  @IsEmail({}, { always: true }) email: unknown;
}

describe('validation groups', () => {
  it.each([[['create', 'tenant:1']], [['tenant:1', 'update']], [['tenant:2']], [[]], [['create', 'create']]])(
    'select the same rules as with class-validator: %s',
    (groups) => {
      const value = Object.assign(new Grouped(), { name: 1, age: 'x', email: 'none' });
      for (const strictGroups of [true, false])
        expect(validateSync(value, { groups, strictGroups })).toEqual(
          reference(value, { groups, strictGroups }),
        );
    },
  );

  it('share compiled functions if they select the same rules', () => {
    const generation = rulesGeneration();
    const engineOf = (...groups: string[]) => engineFor({ groups }, undefined);
    expect(engineOf('tenant:1', 'create')).toBe(engineOf('create', 'tenant:2'));
    expect(engineOf('tenant:1')).toBe(engineOf('tenant:2', 'tenant:3'));
    expect(engineOf('create')).not.toBe(engineOf('update'));
    expect(engineOf()).not.toBe(engineOf('tenant:1'));
    expect(rulesGeneration()).toBe(generation);
  });
});
