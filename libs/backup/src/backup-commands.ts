import { open, readFile, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { keyFiles } from '@app/accounts';
import { authSettings } from '@app/auth';
import { BackupError, type Database, persistenceSettings } from '@app/persistence';
import type { Command, CommandCall } from '@app/service';
import type { SettingsOf } from '@app/settings';
import { backupSettings } from './backup-settings';
import { openBackups } from './backups';
import { type Identities, readIdentities } from './encryption';
import { makeBackup } from './make-backup';
import { type BackupPlace, defaultUploads } from './place';
import { restoreBackup } from './restore-backup';
import { restoreToTime } from './restore-to-time';
import { writeSynced } from './write-synced';

const { JWT_ALGORITHM, JWT_KEY_FILE } = authSettings;
const { DATABASE_URL } = persistenceSettings;
const declarations = { DATABASE_URL, JWT_ALGORITHM, JWT_KEY_FILE, ...backupSettings };

type Settings = SettingsOf<typeof declarations>;

/** The commands `backup` and `restore`. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    args: '[FILE]',
    does: 'backs up the store, the uploaded files and the keys, which may be in use, in a file or in BACKUP_TO',
    run: runBackupCommand,
  },
  {
    name: 'restore',
    args: 'FILE | --latest | --at TIME | --list [--identity FILE]',
    does: 'restores a backup to the store, which nothing may use',
    run: runRestoreCommand,
  },
];

/** Backs up the store that the settings name, while programs may use it: `backup FILE`, or `backup` into `BACKUP_TO`. */
async function runBackupCommand({ args, readSettings, onDatabase }: CommandCall): Promise<void> {
  const [file] = parseArgs({ args: [...args], allowPositionals: true }).positionals;
  const settings = readSettings(declarations);
  const { BACKUP_RECIPIENTS: recipients } = settings;
  await onDatabase('requires', async (db, uploads) => {
    const place = placeOf(db, uploads, settings);
    if (file !== undefined) await makeBackup(place, { recipients }, (archive) => writeNew(file, archive));
    return [`${db.place} is backed up in ${file ?? (await addBackup(place, settings))}`];
  });
}

/**
 * Restores a backup to the store that the settings name, which no program may use: a file by `restore FILE`, the newest state in
 * `BACKUP_TO` by `restore --latest`, or an older state by `restore --at 2026-11-23T10:00:00Z`. `--identity FILE` names the keys
 * for an encrypted backup. `restore --list` lists the backups in `BACKUP_TO`.
 */
async function runRestoreCommand({ args, readSettings, onDatabase }: CommandCall): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: restoreOptions,
  });
  const settings = readSettings(declarations);
  await onDatabase('replaces', async (db, uploads) => {
    if (values.list) return listBackups(settings);
    const identities = await identitiesIn(values.identity);
    const place = placeOf(db, uploads, settings);
    const source = await restoreFrom(place, settings, identities, { ...values, file: positionals[0] });
    return [`${db.place} is restored from ${source}`];
  });
}

const restoreOptions = {
  identity: { type: 'string' },
  at: { type: 'string' },
  latest: { type: 'boolean' },
  list: { type: 'boolean' },
} as const;

interface Source {
  readonly file?: string;
  readonly at?: string;
  readonly latest?: boolean;
}

/** Restores from a file or from `BACKUP_TO`. @returns the restored source, for a message */
async function restoreFrom(
  place: BackupPlace,
  settings: Settings,
  identities: Identities,
  { file, at, latest = false }: Source,
): Promise<string> {
  if ([file !== undefined, at !== undefined, latest].filter(Boolean).length !== 1)
    throw new BackupError('name a file, or --latest, or --at 2026-11-23T10:00:00Z');
  if (file !== undefined) {
    await restoreBackup(place, await openBackup(file), identities);
    return file;
  }
  const backups = await openBackups({ to: destinationOf(settings), recipients: [] });
  const restoredTo = await restoreToTime(
    place,
    backups,
    identities,
    at === undefined ? undefined : timeOf(at),
  );
  return `${backups.destination.place}, as it was at ${restoredTo.toISOString()}`;
}

function timeOf(text: string): Date {
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) ||
    Number.isNaN(Date.parse(text))
  )
    throw new BackupError(`${text} is not a time such as 2026-11-23T10:00:00Z`);
  return new Date(text);
}

async function addBackup(place: BackupPlace, settings: Settings): Promise<string> {
  const backups = await openBackups({ to: destinationOf(settings), recipients: settings.BACKUP_RECIPIENTS });
  const { name } = await backups.add(place);
  return `${backups.destination.place}/${name}`;
}

function destinationOf({ BACKUP_TO }: Settings): string {
  if (BACKUP_TO === undefined) throw new BackupError('name the file of the backup, or set BACKUP_TO');
  return BACKUP_TO;
}

async function listBackups(settings: Settings): Promise<readonly string[]> {
  const backups = await openBackups({ to: destinationOf(settings), recipients: [] });
  return (await backups.list()).map(({ name }) => name);
}

async function identitiesIn(file: string | undefined): Promise<Identities> {
  return file === undefined ? [] : readIdentities(await readFile(file, 'utf8'));
}

function placeOf(db: Database, uploads: string | undefined, settings: Settings): BackupPlace {
  return { db, uploads: uploads ?? defaultUploads, keys: keyFiles(settings) };
}

async function openBackup(file: string): Promise<Readable> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new BackupError(`${file} cannot be read`, { cause });
  });
  return handle.createReadStream();
}

/** Writes a new file, and removes an incomplete file. @throws {BackupError} if the file exists */
async function writeNew(file: string, archive: AsyncIterable<Buffer>): Promise<void> {
  try {
    await writeSynced(file, archive, 'wx');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new BackupError(`${file} exists: name a new file`);
    await rm(file, { force: true });
    throw error;
  }
}
