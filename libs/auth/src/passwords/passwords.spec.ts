import { hash as argon2Hash } from '@node-rs/argon2';
import { argon2id } from './argon2id';
import type { PasswordHasher } from './password-hasher';
import { Passwords } from './passwords';

const passwords = new Passwords();

describe('a password', () => {
  it('is hashed by Argon2id with 19 MiB, two iterations, one lane and its own salt (P6)', async () => {
    const [first, second] = await Promise.all([
      passwords.hash('correct horse'),
      passwords.hash('correct horse'),
    ]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(first).not.toBe(second);
  });

  it('matches its own hash and no other (P6)', async () => {
    const hash = await passwords.hash('correct horse');
    expect(await passwords.matches(hash, 'correct horse')).toBe(true);
    expect(await passwords.matches(hash, 'correct house')).toBe(false);
  });

  it.each([
    ['a NUL at its end', 'pass word', 'pass word\0'],
    ['what follows a NUL', 'pass\0word', 'pass\0ward'],
    ['a NUL that cuts it', 'pass', 'pass\0word'],
    ['a space before', 'pass word', ' pass word'],
    ['a space after', 'pass word', 'pass word '],
    ['a line end', 'pass word', 'pass word\n'],
    ['case', 'pass word', 'Pass word'],
    ['compatible letters', '\ufb01sh and chips', 'fish and chips'],
    ['the 73rd byte', `${'x'.repeat(72)}a`, `${'x'.repeat(72)}b`],
    ['the 65th byte', `${'x'.repeat(64)}a`, `${'x'.repeat(64)}b`],
    ['the last of 256 characters outside the basic plane', '😀'.repeat(256), `${'😀'.repeat(255)}😁`],
  ])('differs by %s', async (_, password, similar) => {
    const [hash, otherHash] = await Promise.all([passwords.hash(password), passwords.hash(similar)]);
    expect(await passwords.matches(hash, password)).toBe(true);
    expect(await passwords.matches(hash, similar)).toBe(false);
    expect(await passwords.matches(otherHash, password)).toBe(false);
  });

  it.each([
    ['composed and decomposed letters', 'caf\u00e9 noir', 'cafe\u0301 noir'],
    ['letters that are one', '\u212bngstr\u00f6m', '\u00c5ngstr\u00f6m'],
    ['spaces', 'pass\u00a0word', 'pass word'],
  ])('is the same with other %s (P6)', async (_, password, equivalent) => {
    const hashes = await Promise.all([password, equivalent].map((each) => passwords.hash(each)));
    for (const hash of hashes)
      expect([await passwords.matches(hash, password), await passwords.matches(hash, equivalent)]).toEqual([
        true,
        true,
      ]);
  });

  it('matches the hash of an earlier release, which hashed it as it was sent (P6)', async () => {
    const forms = ['caf\u00e9 noir', 'cafe\u0301 noir'];
    for (const hashed of forms) {
      const hash = await argon2Hash(hashed);
      for (const form of forms)
        expect([hashed, form, await passwords.matches(hash, form)]).toEqual([hashed, form, true]);
      expect(await passwords.matches(hash, 'cafe noir')).toBe(false);
    }
  });

  it('with an unpaired surrogate is rejected by hash and matches nothing', async () => {
    const hash = await passwords.hash('pass\ufffdword');
    await expect(passwords.hash('pass\ud800word')).rejects.toThrow(TypeError);
    expect(await passwords.matches(hash, 'pass\ud800word')).toBe(false);
  });
});

/** Records the comparisons; each succeeds, so that only Passwords can reject. */
function recordingHasher() {
  const compared: string[] = [];
  const hasher: PasswordHasher = {
    hash: (password) => Promise.resolve(password),
    verify(encoded) {
      compared.push(encoded);
      return Promise.resolve(true);
    },
  };
  return { compared, hasher };
}

describe('a missing account', () => {
  it.each([
    ['no account', undefined],
    ['an account without a password', ''],
    ['an account whose hash is another scheme', '$2b$10$abcdefghijklmnopqrstuv'],
    ['an account whose hash is cut short', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ'],
  ])('(%s) costs one comparison with the current parameters, and does not match', async (_, hash) => {
    const { compared, hasher } = recordingHasher();
    expect(await new Passwords({ hasher }).matches(hash, 'anything')).toBe(false);
    expect(compared).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$.{22}\$.{43}$/)]);
  });

  it('is compared with a well-formed hash', async () => {
    const { compared, hasher } = recordingHasher();
    await new Passwords({ hasher }).matches(undefined, 'anything');
    expect(await argon2id.verify(compared[0] ?? '', 'anything')).toBe(false);
  });

  it('costs the same comparison when the password is an unpaired surrogate', async () => {
    const { compared, hasher } = recordingHasher();
    expect(await new Passwords({ hasher }).matches(await passwords.hash('x'), '\ud800')).toBe(false);
    expect(compared).toHaveLength(1);
  });
});

describe('a hash with outdated parameters', () => {
  it('is still compared, and needs a rehash', async () => {
    const cheap = await argon2Hash('correct horse', { memoryCost: 1024, timeCost: 1 });
    expect(await passwords.matches(cheap, 'correct horse')).toBe(true);
    expect(passwords.needsRehash(cheap)).toBe(true);
    expect(passwords.needsRehash(await passwords.hash('correct horse'))).toBe(false);
  });
});
