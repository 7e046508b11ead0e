import { Type } from 'class-transformer';
import { IsEmail, IsString, MinLength, ValidateNested } from 'class-validator';
import { inGroups } from './groups';

class Address {
  @IsString({ groups: ['create'] })
  street!: string;
}

class UserDto {
  @IsEmail({}, { groups: ['create', 'update'] })
  email!: string;

  @MinLength(8, { groups: ['create'] })
  password!: string;

  @ValidateNested({ groups: ['create'] })
  @Type(() => Address)
  address?: Address;
}

describe('a class in groups', () => {
  const { schema } = inGroups(UserDto, 'create');
  const standard = schema['~standard'];

  it('is a Standard Schema', async () => {
    expect(standard).toMatchObject({ version: 1, vendor: 'sluice' });
    const result = await standard.validate({ email: 'a@b.co', password: '12345678' });
    expect(result).toEqual({ value: { email: 'a@b.co', password: '12345678' } });
    expect('value' in result && result.value).toBeInstanceOf(UserDto);
  });

  it('returns issues with their paths', async () => {
    expect(
      await standard.validate({ email: 'x', password: '12345678', address: { street: 1, no: 2 } }),
    ).toEqual({
      issues: [
        { message: 'email must be an email', path: ['email'] },
        { message: 'property no should not exist', path: ['address', 'no'] },
        { message: 'street must be a string', path: ['address', 'street'] },
      ],
    });
  });

  it('rejects values that are not objects, and unsafe objects', async () => {
    for (const value of [null, undefined, 'text', 7, []]) {
      expect(await standard.validate(value)).toEqual({
        issues: [{ message: 'an object is expected', path: [] }],
      });
    }
    expect(await standard.validate({ email: 'a\ud800@b.co' })).toMatchObject({
      issues: [{ path: ['email'] }],
    });
    expect(
      await standard.validate({ email: { toString: 1, valueOf: 1 }, password: '12345678' }),
    ).toHaveProperty('issues');
  });

  it('rejects a field named like a member', async () => {
    const user = { email: 'a@b.co', password: '12345678', address: { street: 'x', valueOf: 1 } };
    expect(await standard.validate(user)).toEqual({
      issues: [{ message: 'property valueOf should not exist', path: ['address', 'valueOf'] }],
    });
  });

  it('requires a group', () => {
    expect(() => inGroups(UserDto)).toThrow(/inGroups\(UserDto\) needs the name of a group/);
  });
});
