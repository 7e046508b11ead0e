import 'reflect-metadata';
import { Exclude, Expose, Type } from 'class-transformer';
import { StrippedFieldCounter, strippedFieldsNames } from './stripped-fields';
import { listOf } from '../../testing/list-of';

@Exclude()
class User {
  @Expose() id!: number;
  @Expose({ groups: ['admin'] }) role!: string;
}

@Exclude()
class Order {
  @Expose() id!: number;
  @Expose() @Type(() => User) owner!: User;
  @Expose() @Type(() => Date) at!: Date;
}

class Subclass extends User {}

const row = { id: 1, role: 'boss', passwordHash: 'SECRET' };

describe('the names of stripped fields', () => {
  it('are those that the class does not send with the options of the route', () => {
    expect([...strippedFieldsNames(User, { groups: ['admin'] })(row)]).toEqual(['passwordHash']);
    expect([...strippedFieldsNames(User, { groups: ['user'] })([row, null])]).toEqual([
      'role',
      'passwordHash',
    ]);
    expect([
      ...strippedFieldsNames(listOf(Order), {})({ items: [{ id: 1, owner: row, at: new Date() }] }),
    ]).toEqual(['items.owner.role', 'items.owner.passwordHash']);
  });

  it('include those of subclasses', () => {
    expect([...strippedFieldsNames(Subclass, {}, { isHardened: true })(row)]).toEqual([
      'role',
      'passwordHash',
    ]);
    expect([...strippedFieldsNames(Subclass, {})(row)]).toEqual(['role']);
  });
});

describe('the count of stripped fields', () => {
  const write = (returned: unknown) => JSON.stringify(returned);

  it('reports each name once, and counts it by route, without its value', () => {
    const reported: unknown[] = [];
    const strippedFields = new StrippedFieldCounter({
      every: 1,
      onNames: (...names) => reported.push(names),
    });
    const watched = strippedFields.watch('GET /me', strippedFieldsNames(User, { groups: ['admin'] }), write);
    strippedFields.watch('GET /other', strippedFieldsNames(User, { groups: ['admin'] }), write)({ id: 1 });
    expect([watched(row), watched(row), watched({ ...row, salt: 1 })]).toEqual(
      [row, row, { ...row, salt: 1 }].map(write),
    );
    expect(reported).toEqual([
      ['GET /me', ['passwordHash']],
      ['GET /me', ['salt']],
    ]);
    expect(strippedFields.report()).toEqual([
      { route: 'GET /me', looked: 3, fields: { passwordHash: 3, salt: 1 } },
    ]);
  });

  it('counts and reports at most two hundred names of a route', () => {
    const reported: string[] = [];
    const strippedFields = new StrippedFieldCounter({
      every: 1,
      onNames: (_route, names) => reported.push(...names),
    });
    const watched = strippedFields.watch('GET /me', strippedFieldsNames(User, {}), write);
    for (let at = 0; at < 100; at += 1) watched({ [`a${at}`]: 1, [`b${at}`]: 1, [`c${at}`]: 1 });
    const [{ fields }] = strippedFields.report();
    expect([Object.keys(fields).length, reported.length]).toEqual([200, 200]);
  });

  it('samples the first responses of a route, and then one in so many', () => {
    const strippedFields = new StrippedFieldCounter({ every: 100 });
    const watched = strippedFields.watch('GET /me', strippedFieldsNames(User, { groups: ['admin'] }), write);
    for (let at = 0; at < 316; at++) watched(row);
    expect(strippedFields.report()).toMatchObject([{ looked: 19, fields: { passwordHash: 19 } }]);
  });
});
