import { persistenceSettings } from '@app/persistence';
import { readProgramSettings } from '@app/service';
import { backupSettings, continuousBackups } from './backup-settings';

const program = { declarations: { ...persistenceSettings, ...backupSettings }, checks: [continuousBackups] };

function problemsOf(env: Record<string, string>): string {
  try {
    readProgramSettings(program, env);
  } catch (error) {
    if (error instanceof Error && error.name === 'SettingsError') return error.message;
    throw error;
  }
  return '';
}

describe('the settings of backups', () => {
  it('copy changes of SQLite alone, and after a backup', () => {
    const on = { BACKUP_CONTINUOUS: 'on', BACKUP_TO: '/backups' };
    expect(problemsOf(on)).toBe('');
    expect(problemsOf({ ...on, DATABASE_URL: 'postgres://a/b' })).toMatch(/which archives its WAL itself/);
    for (const name of ['BACKUP_TO', 'BACKUP_SCHEDULE'])
      expect(problemsOf({ ...on, [name]: 'off' })).toMatch(
        /^BACKUP_CONTINUOUS is on, but BACKUP_TO or BACKUP_SCHEDULE is off/,
      );
  });

  it('say what is valid', () => {
    expect(problemsOf({ BACKUP_TO: 'ftp://a' })).toMatch(/must be off, the path of a folder, or a bucket/);
    expect(problemsOf({ BACKUP_SCHEDULE: '1m' })).toMatch(/must be off, or a duration such as/);
    expect(problemsOf({ BACKUP_RECIPIENTS: 'me' })).toMatch(/must be off, or public keys of age/);
  });

  it('are refused without a destination', () => {
    expect(problemsOf({ BACKUP_SCHEDULE: '1h', BACKUP_KEEP_FOR: '3d' })).toBe(
      'BACKUP_SCHEDULE has no effect without BACKUP_TO. Set BACKUP_TO, or remove BACKUP_SCHEDULE.\n' +
        'BACKUP_KEEP_FOR has no effect without BACKUP_TO. Set BACKUP_TO, or remove BACKUP_KEEP_FOR.',
    );
    expect(problemsOf({ BACKUP_SCHEDULE: '1h', BACKUP_TO: '/backups' })).toBe('');
    expect(problemsOf({ BACKUP_SCHEDULE: 'off' })).toBe('');
    expect(problemsOf({ BACKUP_SCHEDULE: '1h', BACKUP_TO: 'ftp://a' })).toMatch(/^BACKUP_TO must be [^\n]+$/);
  });

  it('have no unknown names', () => {
    expect(problemsOf({ BACKUP_DIR: '/a' })).toMatch(/^BACKUP_DIR is not a setting: there are BACKUP_TO, /);
  });
});
