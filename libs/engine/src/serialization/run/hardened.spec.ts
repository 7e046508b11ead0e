import 'reflect-metadata';
import { Exclude, Expose, instanceToPlain, Type } from 'class-transformer';
import { responseWriter } from './response-writer';
import { compileSerializer } from './compile-serializer';

@Exclude()
class User {
  @Expose() id = 1;
  password = 'SECRET';
}

/** class-transformer does not inherit the exclusion. */
class Employee extends User {
  salary = 'SECRET';
}

class Team {
  byName: unknown = new Map<string, object>([['ann', new User()]]);
  @Type(() => Object) leader: object = new User();
  @Type(() => User) typed: unknown = new Map<string, object>([['row', { id: 2, password: 'SECRET' }]]);
  nested: unknown = new Map([['deep', new Map([['er', [new Employee()]]])]]);
  bag = { of: new Map([['bob', new Employee()]]) };
}

const hardened = compileSerializer(Team, {}, { hardened: true });

describe('a hardened serializer', () => {
  it('applies the class of each part where class-transformer sends all fields', () => {
    expect(JSON.stringify(instanceToPlain(new Team()))).toContain('SECRET');
    const expected = {
      byName: { ann: { id: 1 } },
      leader: { id: 1 },
      typed: { row: { id: 2 } },
      nested: { deep: { er: [{ id: 1 }] } },
      bag: { of: { bob: { id: 1 } } },
    };
    expect(JSON.parse(hardened.write(new Team()))).toEqual(expected);
    expect(hardened.toPlain(new Team())).toEqual(expected);
    expect(hardened.write([new Team()])).toBe(`[${JSON.stringify(expected)}]`);
  });

  it('writes the entries of a Map by their classes, wherever it is', () => {
    const map = new Map([['ann', new Employee()]]);
    expect(hardened.write(map)).toBe('{"ann":{"id":1}}');
    expect(hardened.write({ map })).toBe('{"map":{"ann":{"id":1}}}');
    expect(hardened.write([map])).toBe('[{"ann":{"id":1}}]');
  });

  it('writes the entries of a subclass of Map too', () => {
    class Register extends Map<string, object> {}
    const register = new Register([['ann', new User()]]);
    for (const value of [{ register }, [register], Object.assign(new Team(), { byName: register })]) {
      expect(hardened.write(value)).not.toContain('SECRET');
      expect(JSON.stringify(hardened.toPlain(value))).toBe(hardened.write(value));
    }
    expect(hardened.write({ register })).toBe('{"register":{"ann":{"id":1}}}');
  });

  it('lets subclasses inherit a class-level exclusion, for rows and instances', () => {
    const { write } = responseWriter(Employee, {}, { hardened: true });
    expect(write([new Employee(), { id: 3, salary: 'SECRET' }])).toBe('[{"id":1},{"id":3}]');
  });
});
