import { createSecretKey, randomBytes } from 'node:crypto';
import { seal, unseal } from './seal';

const makeKey = () => createSecretKey(randomBytes(32));
const text = 'a link: https://example.com/#token=1';

describe('a sealed text', () => {
  const key = makeKey();

  it('is read with its key, also when that is a previous one', () => {
    const sealed = seal(text, [key]);
    expect(unseal(sealed, [key])).toBe(text);
    expect(unseal(sealed, [makeKey(), key])).toBe(text);
  });

  it('is not read with another key, or when it was changed', () => {
    const sealed = seal(text, [key]);
    expect(unseal(sealed, [makeKey()])).toBeUndefined();
    const bytes = Buffer.from(sealed, 'base64');
    const changed = Buffer.concat([bytes.subarray(0, -1), Buffer.from([~(bytes.at(-1) ?? 0) & 255])]);
    expect(unseal(changed.toString('base64'), [key])).toBeUndefined();
    expect(unseal('', [key])).toBeUndefined();
  });

  it('is read in its context alone', () => {
    const sealed = seal(text, [key], 'of account 1');
    expect(unseal(sealed, [key], 'of account 1')).toBe(text);
    expect(unseal(sealed, [key], 'of account 2')).toBeUndefined();
    expect(unseal(sealed, [key])).toBeUndefined();
  });

  it('shows nothing of its text', () => {
    expect(Buffer.from(seal(text, [key]), 'base64').toString('latin1')).not.toContain('link');
    expect(seal(text, [key])).not.toBe(seal(text, [key]));
  });
});
