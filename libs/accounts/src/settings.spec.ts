import { z } from 'zod';
import { accountsSettings } from './settings';

const schema = z.object(accountsSettings);

describe('the settings of the first administrator', () => {
  it('may be left out', () => {
    expect(schema.parse({})).toEqual({});
  });

  it('say what an e-mail and a password must be', () => {
    const { error } = schema.safeParse({ ADMIN_EMAIL: 'root', ADMIN_PASSWORD: 'short' });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must be an e-mail address, such as admin@example.com',
      'must be at least 8 characters long',
    ]);
  });
});
