import { family } from '@app/settings';
import { z } from 'zod';
import { givenSecretInProduction, givenTogether } from './checks';
import { SettingsError } from './errors';
import { readSettings } from './read-settings';
import { readProgramSettings } from '../program/read-program-settings';
import { serviceSettings } from '../program/service-settings';
import { removedNames } from './removed-names';

const declarations = {
  ...serviceSettings,
  JWT_SECRET: z.string().min(32, { error: 'must have at least 32 bytes' }).optional().meta({ secret: true }),
  DATABASE_URL: z
    .string()
    .regex(/^(sqlite|postgres):/, { error: 'must be a URL' })
    .default('sqlite:./x.db'),
  DATABASE_REPLICA_URL: z.string().optional().meta({ isForPostgres: true }),
  JWT_ALGORITHM: z.enum(['HS256', 'ES256', 'EdDSA']).default('HS256'),
  JWT_KEY_FILE: z.string().optional(),
  ADMIN_EMAIL: z.string().optional(),
  ADMIN_PASSWORD: z.string().min(8, { error: 'must be at least 8 characters long' }).optional(),
};
const checks = [givenTogether('ADMIN_EMAIL', 'ADMIN_PASSWORD'), givenSecretInProduction];

function problemsOf(env: Record<string, string>): string {
  return problemsIn(() => readSettings(declarations, env, checks));
}

function problemsIn(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

describe('settings', () => {
  it('have a default for everything that a program needs to start', () => {
    expect(readSettings(declarations, {}, checks)).toMatchObject({ PORT: 3000, LOG_LEVEL: 'info' });
  });

  it('treat an empty variable as not set', () => {
    expect(readSettings(declarations, { PORT: '', HOST: '' })).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
    });
  });

  it('are frozen', () => {
    expect(Object.isFrozen(readSettings(declarations, {}))).toBe(true);
  });

  it('report every problem at once, one per line, in the order of declaration', () => {
    const problems = problemsOf({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      ERROR_SHAPE: 'round',
      ADMIN_EMAIL: 'a@b.co',
    });
    expect(problems.split('\n')).toEqual([
      'PORT must be a whole number from 0 to 65535 (it is "70000"). For example PORT=3001',
      'ERROR_SHAPE must be list or details (it is "round"). For example ERROR_SHAPE=details',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent (it is "loud"). For example LOG_LEVEL=debug',
      'ADMIN_PASSWORD is not set, but ADMIN_EMAIL is. Set both or neither.',
    ]);
  });

  it.each(['1e3', ' 80', '-1', '65536', '0x50', '3000.0', '９'])('reject %j as a port', (PORT) => {
    expect(problemsOf({ PORT })).toContain('PORT must be a whole number from 0 to 65535');
  });

  it.each([
    ['0', 0],
    ['65535', 65_535],
  ])('accept %j as a port', (PORT, port) => {
    expect(readSettings(serviceSettings, { PORT }).PORT).toBe(port);
  });

  it('report a variable without a value and a default', () => {
    expect(problemsIn(() => readSettings({ NAME: z.string().meta({ examples: ['Ada'] }) }, {}))).toBe(
      'NAME is not set and has no default. For example NAME=Ada',
    );
  });

  it('never repeat a secret', () => {
    const problems = problemsOf({ JWT_SECRET: 'hunter2', ADMIN_EMAIL: 'a@b.co', ADMIN_PASSWORD: 'tiny' });
    expect(problems).toBe(
      'JWT_SECRET must have at least 32 bytes.\nADMIN_PASSWORD must be at least 8 characters long.',
    );
  });

  it('redact the password in a URL', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://me:hunter2@host/db' })).toBe(
      'DATABASE_URL must be a URL (it is "mysql://me:[hidden]@host/db").',
    );
  });

  it('report a problem on one line, whatever the value', () => {
    expect(problemsOf({ LOG_LEVEL: `a\nb\u001B[2J${'x'.repeat(500)}` }).split('\n')).toHaveLength(1);
  });

  it('require a secret in production on PostgreSQL', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://host/db' };
    expect(problemsOf(production)).toMatch(/^JWT_SECRET is not set, and is required/);
    expect(problemsOf({ ...production, JWT_SECRET: 'x'.repeat(32) })).toBe('');
    expect(problemsOf({ ...production, DATABASE_URL: 'sqlite:./x.db' })).toBe('');
  });

  it('require a key file in production on PostgreSQL for algorithms with a private key', () => {
    const env = { NODE_ENV: 'production', DATABASE_URL: 'postgres://host/db', JWT_SECRET: 'x'.repeat(32) };
    expect(problemsOf({ ...env, JWT_ALGORITHM: 'ES256' })).toMatch(
      /^JWT_KEY_FILE is not set, and is required/,
    );
    expect(problemsOf({ ...env, JWT_ALGORITHM: 'ES256', JWT_KEY_FILE: '/keys.json' })).toBe('');
  });

  it('allow a replica on PostgreSQL alone', () => {
    const replica = { DATABASE_REPLICA_URL: 'postgres://replica/sluice' };
    expect(problemsOf(replica)).toBe(
      'DATABASE_REPLICA_URL has no effect: DATABASE_URL is a SQLite file. Remove DATABASE_REPLICA_URL, or set DATABASE_URL to PostgreSQL.',
    );
    expect(problemsOf({ ...replica, DATABASE_URL: 'postgres://primary/sluice' })).toBe('');
  });

  it('are refused if the setting that they need is off', () => {
    const own = {
      ...declarations,
      CARD_STORE: z.string().prefault('off'),
      CARD_SIZE: z.string().optional().meta({ needs: 'CARD_STORE' }),
      CARD_FORM: z.string().optional().meta({ needs: 'CARD_STORE' }),
    };
    const problems = (env: Record<string, string>) => problemsIn(() => readSettings(own, env));
    expect(problems({ CARD_SIZE: '1h', CARD_FORM: '3d' })).toBe(
      'CARD_SIZE has no effect without CARD_STORE. Set CARD_STORE, or remove CARD_SIZE.\n' +
        'CARD_FORM has no effect without CARD_STORE. Set CARD_STORE, or remove CARD_FORM.',
    );
    expect(problems({ CARD_SIZE: '1h', CARD_STORE: '/cards' })).toBe('');
    expect(problems({ CARD_SIZE: 'off' })).toBe('');
  });

  it('have one of three environments', () => {
    expect(problemsOf({ NODE_ENV: 'prod' })).toMatch(/^NODE_ENV must be production, development or test/);
  });

  it.each([
    ['DATABASE_URI', 'DATABASE_URL'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PORTT', 'PORT'],
  ])('of a program have no misspelt names: %s', (name, meant) => {
    const read = (env: Record<string, string>) =>
      problemsIn(() => readProgramSettings({ declarations }, env));
    expect(read({ [name]: 'x' })).toBe(`${name} is not a setting. Write ${meant}.`);
    expect(read({ [name]: '' })).toBe('');
  });

  it('of a family have no misspelt beginning', () => {
    const withFamily = { ...declarations, 'OIDC_<NAME>': family({ ISSUER: z.string().optional() }) };
    const read = (env: Record<string, string>) =>
      problemsIn(() => readProgramSettings({ declarations: withFamily }, env));
    expect(read({ ODIC_GOOGLE_ISSUER: 'x' })).toBe(
      'ODIC_GOOGLE_ISSUER is not a setting. Write OIDC_<NAME>_ISSUER.',
    );
    expect(read({ CLOUD_ISSUER: 'x', OIDC_GOOGLE_ISSUER: 'x' })).toBe('');
  });

  it.each([...removedNames])('are refused if they are gone: %s', (name, instead) => {
    const read = () => readProgramSettings({ declarations }, { [name]: '1' });
    expect(problemsIn(read)).toBe(`${name} is gone: ${instead}. Remove ${name}.`);
  });

  it('of a program have no unknown names that begin like several of them', () => {
    const read = (env: Record<string, string>) =>
      problemsIn(() => readProgramSettings({ declarations }, env));
    expect(read({ RATE_BUCKETS: '5' })).toBe('');
    expect(read({ LOG_ROTATION: '5' })).toMatch(/^LOG_ROTATION is not a setting: there are LOG_LEVEL, /);
    const links = { DATABASE_SERVICE_HOST: '10.0.0.1', DATABASE_PORT: 'tcp://10.0.0.1:5432' };
    expect(read({ ...links, OTEL_RESOURCE_ATTRIBUTES: 'a=b', HOME: '/root', HOSTNAME: 'a' })).toBe('');
  });

  it('skip a check of several settings when one of them is invalid', () => {
    expect(problemsOf({ NODE_ENV: 'production', DATABASE_URL: 'mysql://x' }).split('\n')).toHaveLength(1);
  });

  it('rethrow the error of a broken check', () => {
    expect(() => readSettings({}, {}, [broken])).toThrow(TypeError);
  });
});

function broken(): never {
  throw new TypeError('broken');
}
