import { CommonPasswordError } from '../errors';
import { type IsCommon, loadCommonPasswords } from './common-passwords';
import { Passwords } from './passwords';

describe('the list of common passwords', () => {
  let isCommon: IsCommon;
  beforeAll(async () => {
    isCommon = await loadCommonPasswords();
  });

  it.each([
    'password',
    '12345678',
    'football',
    'iloveyou',
    'password1',
    'qwertyuiop',
    'Password',
    'BASEBALL',
  ])('has %s', (password) => {
    expect(isCommon(password)).toBe(true);
  });

  it.each([
    'correct horse battery staple',
    'k3Jv0pPz7Qm2rS9t',
    '',
    'password ',
    ' password',
    'pass\nword',
    'constructor of things',
    '__proto__',
    '1234567',
  ])('does not have %j', (password) => {
    expect(isCommon(password)).toBe(false);
  });

  it('is asked for new passwords alone, before they are hashed', async () => {
    const passwords = new Passwords({ isCommon });
    const hash = vi.spyOn(passwords, 'hash');
    await expect(passwords.hashNew('iloveyou')).rejects.toThrow(CommonPasswordError);
    expect(hash).not.toHaveBeenCalled();
    expect(await passwords.matches(await passwords.hash('iloveyou'), 'iloveyou')).toBe(true);
    expect(await passwords.hashNew('an uncommon phrase')).toMatch(/^\$argon2id\$/);
  });

  it('is off by default', async () => {
    expect(await new Passwords().hashNew('iloveyou')).toMatch(/^\$argon2id\$/);
  });
});
