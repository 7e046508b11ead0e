import { z } from 'zod';
import { accountsSettings } from './settings';

const schema = z.object(accountsSettings);

describe('the settings of the first administrator', () => {
  it('are optional', () => {
    expect(schema.parse({})).not.toHaveProperty('ADMIN_EMAIL');
  });

  it('reject an invalid e-mail and a short password', () => {
    const { error } = schema.safeParse({ ADMIN_EMAIL: 'root', ADMIN_PASSWORD: 'short' });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must be an e-mail address, such as admin@example.com',
      'must be at least 8 characters long',
    ]);
  });
});

describe('the settings of sign-in and of the log', () => {
  it('have defaults', () => {
    expect(schema.parse({})).toEqual({
      EMAIL_VERIFICATION: 'off',
      PASSWORD_CHANGE: 'recent',
      NEW_DEVICE_MAIL: 'off',
      REFRESH_TOKEN_TTL: 2_592_000,
      REFRESH_SESSION_LIMIT: { limit: 1000, windowSeconds: 3600 },
      SIGN_UP: 'open',
      SIGN_IN_FAILURES: 10,
      SIGN_IN_ADDRESS_LIMIT: { limit: 100, windowSeconds: 900 },
      SIGN_UP_ADDRESS_LIMIT: { limit: 1000, windowSeconds: 3600 },
      AUDIT_RETENTION: 90 * 86_400,
      SESSION_LIFETIME: 90 * 86_400,
      PASSWORD_RESET_ADDRESS_LIMIT: { limit: 100, windowSeconds: 3600 },
      PASSWORD_RESET_LIMIT: { limit: 5, windowSeconds: 3600 },
    });
  });

  it.each(['0', '-1', '1e3', ' 10', '10000000', 'ten'])(
    'reject the limit %s with a description of valid values',
    (text) => {
      const { error } = schema.safeParse({ SIGN_IN_FAILURES: text });
      expect(error?.issues.map(({ message }) => message)).toEqual([
        'must be a whole number from 1 to 1000000',
      ]);
    },
  );
});
