import { z } from 'zod';
import { authSettings } from './settings';

const settings = z.object(authSettings);
const GOOD = 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG';

const problemsOf = (environment: Record<string, string>) =>
  settings.safeParse(environment).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);

describe('the settings', () => {
  it('default to a lifetime of 60 seconds and no secret', () => {
    expect(settings.parse({})).toEqual({
      JWT_ALGORITHM: 'HS256',
      PASSWORD_LIST: 'off',
      ACCESS_TOKEN_TTL: 60,
    });
  });

  it('accept valid values', () => {
    const environment = {
      JWT_SECRET: GOOD,
      JWT_SECRET_PREVIOUS: GOOD.toLowerCase(),
      JWT_ALGORITHM: 'ES256',
      JWT_KEY_FILE: '/run/secrets/jwt-keys.json',
      PASSWORD_LIST: 'common',
      ACCESS_TOKEN_TTL: '5m',
    };
    expect(settings.parse(environment)).toEqual({ ...environment, ACCESS_TOKEN_TTL: 300 });
  });

  it('are all described, and secrets are marked', () => {
    const described = Object.entries(authSettings).map(([name, schema]) => [name, schema.meta()]);
    expect(Object.fromEntries(described)).toEqual({
      JWT_SECRET: { description: expect.any(String), secret: true },
      JWT_SECRET_PREVIOUS: { description: expect.any(String), secret: true },
      PASSWORD_RANGE_URL: { description: expect.any(String), examples: [expect.any(String)] },
      PASSWORD_LIST: { description: expect.any(String), examples: ['common'] },
      JWT_ALGORITHM: { description: expect.any(String), examples: ['ES256', 'EdDSA'] },
      JWT_KEY_FILE: { description: expect.any(String), examples: ['/run/secrets/jwt-keys.json'] },
      ACCESS_TOKEN_TTL: { description: expect.any(String), examples: ['60s', '5m'] },
    });
  });
});

describe.each(['JWT_SECRET', 'JWT_SECRET_PREVIOUS'])('%s', (name) => {
  it('needs 32 bytes, not characters (P7)', () => {
    expect(problemsOf({ [name]: GOOD.slice(1) })).toEqual([`${name} must have at least 32 bytes`]);
    expect(problemsOf({ [name]: '' })).toEqual([`${name} must have at least 32 bytes`]);
    expect(problemsOf({ [name]: 'schlüssel-für-größe-ü-ö-ä-ß-1' })).toBeUndefined();
  });

  it.each([
    'a-string-secret-at-least-256-bits-long',
    'DO NOT USE THIS VALUE. INSTEAD, CREATE A COMPLEX SECRET AND KEEP IT SAFE OUTSIDE OF THE SOURCE CODE.',
    '09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7',
    'your_super_secret_jwt_key_change_this_in_production',
    'your-super-secret-jwt-key-of-some-length',
    'super-secret-jwt-token-with-at-least-32-characters-long',
    'my-32-character-ultra-secure-and-ultra-long-secret',
    'please-ChangeMe-please-ChangeMe-1234',
  ])('rejects a published example: %s', (example) => {
    expect(problemsOf({ [name]: example })).toEqual([`${name} must not be a published example`]);
  });

  it.each([
    'x'.repeat(32),
    'secret'.repeat(6),
    '1234567890'.repeat(4).slice(0, 33),
    '0123456789abcdef'.repeat(2),
  ])('rejects a repeated short string: %s', (repetition) => {
    expect(problemsOf({ [name]: repetition })).toEqual([`${name} must not be a repeated short string`]);
  });
});

describe('the lifetime of an access token', () => {
  it('is at most 90 days', () => {
    expect(settings.parse({ ACCESS_TOKEN_TTL: '90d' }).ACCESS_TOKEN_TTL).toBe(90 * 86_400);
    expect(problemsOf({ ACCESS_TOKEN_TTL: '91d' })).toHaveLength(1);
  });
});
