import { accountsSettings } from '@app/accounts';
import { authSettings } from '@app/auth';
import { mailSettings } from '@app/mail';
import { persistenceSettings } from '@app/persistence';
import { z } from 'zod';
import { SettingsError } from '../settings/errors';
import { readProgramSettings } from './read-program-settings';
import { serviceSettings } from './service-settings';

const declarations = {
  ...serviceSettings,
  ...persistenceSettings,
  ...authSettings,
  ...accountsSettings,
  ...mailSettings,
};
const onPostgres = { DATABASE_URL: 'postgres://host/db' };

describe('the settings of a program', () => {
  it.each([
    ['ADMIN_PASSWORD', { ADMIN_EMAIL: 'a@example.com' }],
    ['MAIL_FROM', { SMTP_URL: 'smtp://localhost' }],
    ['JWT_SECRET', { NODE_ENV: 'production', ...onPostgres }],
  ])('are checked together, without being told to: %s', (name, env) => {
    expect(() => readProgramSettings({ declarations }, env)).toThrow(SettingsError);
    expect(() => readProgramSettings({ declarations }, env)).toThrow(new RegExp(`^${name} is `));
  });

  it.each([
    ['DATABASE_DIRECT_URL', 'postgres://primary/db'],
    ['DATABASE_POOLER', 'transaction'],
    ['DATABASE_POOL_SIZE', '20'],
  ])('are refused with SQLite if they are for PostgreSQL: %s', (name, value) => {
    const read = (env: object) => readProgramSettings({ declarations }, { [name]: value, ...env });
    expect(() => read({})).toThrow(`${name} has no effect: DATABASE_URL is a SQLite file.`);
    expect(() => read(onPostgres)).not.toThrow();
  });

  it('are not checked for what the program does not declare', () => {
    const env = { NODE_ENV: 'production', ADMIN_EMAIL: 'a@example.com', ...onPostgres };
    expect(readProgramSettings({ declarations: serviceSettings }, env)).toMatchObject({ PORT: 3000 });
  });

  it('are checked by the program too', () => {
    const own = { declarations: { ...declarations, LEFT: z.string().optional() } };
    const checks = [
      ({ LEFT }: { readonly LEFT?: string }) =>
        LEFT === 'no' ? { name: 'LEFT', problem: 'must not be no.' } : undefined,
    ];
    const env = { LEFT: 'no', ADMIN_EMAIL: 'a@example.com' };
    expect(() => readProgramSettings({ ...own, checks }, env)).toThrow(
      /^ADMIN_PASSWORD is .*\nLEFT must not be no\.$/,
    );
    expect(readProgramSettings({ ...own, checks }, { LEFT: 'yes' })).toMatchObject({ LEFT: 'yes' });
  });
});
