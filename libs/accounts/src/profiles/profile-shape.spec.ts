import type { TableDefinition } from '@app/persistence';
import { Schema } from '@app/contract';
import { Expose, Type } from 'class-transformer';
import { IsArray, IsString, ValidateNested } from 'class-validator';
import { accountTable } from '../account/account.table';
import { ProfileShape } from './profile-shape';

class Profile {
  @Expose() @IsString() username!: string;
  @Expose() @Schema({ type: ['string', 'null'] }) image!: string | null;
  @IsString() note!: string;
}

const tableOf = (secrecy: TableDefinition['secrecy']): TableDefinition => ({
  name: 'profile',
  secrecy: { accountId: 'internal', ...secrecy },
  exported: { part: 'profile' },
});

/** A class with an exposed name. */
function withField(name: string): new () => object {
  class Named {}
  IsString()(Named.prototype, name);
  Expose()(Named.prototype, name);
  return Named;
}

describe('a class of profiles', () => {
  it('accepts the fields with rules, and sends the exposed ones', () => {
    const shape = new ProfileShape(Profile, accountTable);
    expect([shape.accepted, shape.sent]).toEqual([
      ['username', 'note'],
      ['username', 'image'],
    ]);
    expect(shape.fields.map((field) => shape.isNullable(field))).toEqual([false, false, true]);
  });

  it.each([
    'role',
    'email',
    'id',
    'passwordHash',
    'disabledAt',
    'isActive',
    'is_active',
    'isAdmin',
    'Role',
    'password',
    'accountId',
  ])('cannot have a field that users have, or that decides who may do what: %s', (name) => {
    expect(() => new ProfileShape(withField(name), accountTable)).toThrow(
      `has a field ${name}, a name that the framework`,
    );
  });

  it('cannot have one under another name on the wire', () => {
    class Renamed {
      @Expose({ name: 'role' }) @IsString() title!: string;
    }
    expect(() => new ProfileShape(Renamed, accountTable)).toThrow('exposes title by another name');
  });

  it.each(['display_name', 'Title', '1st'])('cannot have a field that names no column: %s', (name) => {
    expect(() => new ProfileShape(withField(name), accountTable)).toThrow('no name of a column');
  });

  it('cannot have lists or objects', () => {
    class WithList {
      @IsArray() tags!: string[];
    }
    class WithPart {
      @ValidateNested() @Type(() => Profile) part!: Profile;
    }
    expect(() => new ProfileShape(WithList, accountTable)).toThrow('the field tags');
    expect(() => new ProfileShape(WithPart, accountTable)).toThrow('the field part');
  });

  it('cannot have a value, which every change would set', () => {
    class WithValue {
      @IsString() title = 'none';
    }
    expect(() => new ProfileShape(WithValue, accountTable)).toThrow('has a value for title');
  });

  it('needs a field', () => {
    expect(() => new ProfileShape(class Empty {}, accountTable)).toThrow('has no field');
  });

  it('needs its table, with a column for each field', () => {
    const shape = new ProfileShape(Profile, accountTable);
    const open = { username: 'open', image: 'open' } as const;
    const table = tableOf({ ...open, note: 'secret' });
    expect(shape.tableAmong([table])).toBe(table);
    expect(() => shape.tableAmong([])).toThrow("needs a table 'profile'");
    expect(() => shape.tableAmong([tableOf(open)])).toThrow('has no column note');
  });

  it.each(['secret', 'internal', 'owner', 'operators'] as const)(
    'cannot expose a column to everybody who may read the user that is %s',
    (secrecy) => {
      const table = tableOf({ username: secrecy, image: 'open', note: 'open' });
      expect(() => new ProfileShape(Profile, accountTable).tableAmong([table])).toThrow(
        'Profile exposes username',
      );
    },
  );

  it('can expose a column of operators to administrators', () => {
    class Rated {
      @Expose({ groups: ['admin'] }) rating!: number;
    }
    expect(() =>
      new ProfileShape(Rated, accountTable).tableAmong([tableOf({ rating: 'operators' })]),
    ).not.toThrow();
  });
});
