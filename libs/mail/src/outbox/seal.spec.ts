import { createSecretKey, randomBytes } from 'node:crypto';
import { seal, unseal } from './seal';

const makeKey = () => createSecretKey(randomBytes(32));
const mail = {
  subject: 'Hello',
  text: 'a link',
  html: '<p>a link</p>',
  link: 'https://example.com/#token=1',
};

describe('a sealed mail', () => {
  const key = makeKey();

  it('is read with its key, also when that is a previous one', () => {
    const sealed = seal(mail, [key]);
    expect(unseal(sealed, [key])).toEqual(mail);
    expect(unseal(sealed, [makeKey(), key])).toEqual(mail);
  });

  it('is not read with another key, or when it was changed', () => {
    const sealed = seal(mail, [key]);
    expect(unseal(sealed, [makeKey()])).toBeUndefined();
    const bytes = Buffer.from(sealed, 'base64');
    const changed = Buffer.concat([bytes.subarray(0, -1), Buffer.from([~(bytes.at(-1) ?? 0) & 255])]);
    expect(unseal(changed.toString('base64'), [key])).toBeUndefined();
    expect(unseal('', [key])).toBeUndefined();
  });

  it('shows nothing of its text', () => {
    expect(Buffer.from(seal(mail, [key]), 'base64').toString('latin1')).not.toContain('link');
    expect(seal(mail, [key])).not.toBe(seal(mail, [key]));
  });
});
