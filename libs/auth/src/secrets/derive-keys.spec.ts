import { deriveKeys } from './derive-keys';

const [secret, old] = [
  'a secret of tests, long enough to sign with',
  'another secret of tests, which is as long',
];

describe('derived keys', () => {
  const derive = (secrets: Parameters<typeof deriveKeys>[0], purpose = 'addresses') =>
    deriveKeys(secrets, purpose).map((key) => key.export().toString('hex'));

  it('are one per secret, the current first', () => {
    const keys = derive({ secret, previous: [old] });
    expect(keys).toEqual([...derive({ secret }), ...derive({ secret: old })]);
    expect(new Set(keys).size).toBe(2);
  });

  it('differ by purpose, and from the secret', () => {
    expect(derive({ secret })).not.toEqual(derive({ secret }, 'cursors'));
    expect(derive({ secret })).not.toContain(Buffer.from(secret).toString('hex'));
  });
});
