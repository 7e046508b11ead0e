import { hash, verify } from '@node-rs/argon2';
import { argon2id, isArgon2id, isArgon2idNative, needsRehash } from './argon2id';
import { nodeArgon2id } from './node-argon2id';

const passwords = ['correct horse', 'pass\0word', 'e\u0301 \u{1f600}', '', 'x'.repeat(256)];

describe('Argon2id by Node, where the binary does not load', () => {
  it.each(passwords)('verifies the hash of the binary, and the binary its own: %j', async (password) => {
    const [byNode, byBinary] = await Promise.all([nodeArgon2id.hash(password), argon2id.hash(password)]);
    expect([isArgon2idNative, isArgon2id(byNode), needsRehash(byNode)]).toEqual([true, true, false]);
    expect(await Promise.all([verify(byNode, password), nodeArgon2id.verify(byBinary, password)])).toEqual([
      true,
      true,
    ]);
    const wrongPassword = `${password}.`;
    expect(
      await Promise.all([verify(byNode, wrongPassword), nodeArgon2id.verify(byBinary, wrongPassword)]),
    ).toEqual([false, false]);
  });

  it('verifies hashes with other parameters', async () => {
    const earlier = await hash('correct horse', {
      memoryCost: 4096,
      timeCost: 3,
      parallelism: 1,
      outputLen: 24,
    });
    expect(await nodeArgon2id.verify(earlier, 'correct horse')).toBe(true);
    expect(await nodeArgon2id.verify(earlier, 'correct house')).toBe(false);
  });

  it('rejects what is no hash', async () => {
    await expect(nodeArgon2id.verify('$2b$10$abc', 'correct horse')).rejects.toThrow(TypeError);
  });
});
