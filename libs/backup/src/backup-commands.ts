import { open, readFile, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { keyFiles } from '@app/accounts';
import { authSettings } from '@app/auth';
import { BackupError } from '@app/persistence';
import { readSettings } from '../settings/read-settings';
import { backupSettings } from '../backup/backup-settings';
import { type Backups, openBackups } from '../backup/backups';
import { type Identities, readIdentities } from '../backup/encryption';
import { makeBackup } from '../backup/make-backup';
import type { BackupPlace } from '../backup/place';
import { restoreBackup } from '../backup/restore-backup';
import { restoreToTime } from '../backup/restore-to-time';
import { writeSynced } from '../backup/write-synced';
import { type CommandCall, openStore, storeSettings, type StoreUse } from './command';

const { JWT_ALGORITHM, JWT_KEY_FILE } = authSettings;
const declarations = { ...storeSettings, JWT_ALGORITHM, JWT_KEY_FILE, ...backupSettings };

/** Writes a backup of what the settings name, which may be in use: `backup FILE`, or `backup` into `BACKUP_TO`. */
export async function runBackupCommand({ env, args, print }: CommandCall): Promise<void> {
  const [file] = parseArgs({ args: [...args], allowPositionals: true }).positionals;
  const { place, settings } = openPlace('requires', env);
  const { BACKUP_RECIPIENTS: recipients } = settings;
  try {
    if (file !== undefined) await makeBackup(place, { recipients }, (archive) => writeNew(file, archive));
    const to =
      file ?? (await addBackup(place, await openBackups({ to: destinationOf(settings), recipients })));
    print(`${place.db.place} is backed up in ${to}`);
  } finally {
    await place.db.destroy();
  }
}

/**
 * Restores a backup to what the settings name, which nothing may use: `restore FILE`; the newest state in `BACKUP_TO` by `restore
 * --latest`, or that of a moment by `restore --at 2026-11-23T10:00:00Z`. `--identity FILE` has the keys of an encrypted one, `restore
 * --list` lists those of `BACKUP_TO`.
 */
export async function runRestoreCommand({ env, args, print }: CommandCall): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: restoreOptions,
  });
  const { place, settings } = openPlace('replaces', env);
  try {
    if (values.list) return await listBackups(settings, print);
    const identities = await identitiesIn(values.identity);
    const source = await restoreFrom(place, settings, identities, { ...values, file: positionals[0] });
    print(`${place.db.place} is restored from ${source}`);
  } finally {
    await place.db.destroy();
  }
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

/** @returns what was restored, for a message */
async function restoreFrom(
  place: BackupPlace,
  settings: Given,
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

async function addBackup(place: BackupPlace, backups: Backups): Promise<string> {
  const { name } = await backups.add(place);
  return `${backups.destination.place}/${name}`;
}

type Given = ReturnType<typeof openPlace>['settings'];

function destinationOf({ BACKUP_TO }: Given): string {
  if (BACKUP_TO === undefined) throw new BackupError('name the file of the backup, or set BACKUP_TO');
  return BACKUP_TO;
}

async function listBackups(settings: Given, print: CommandCall['print']): Promise<void> {
  const backups = await openBackups({ to: destinationOf(settings), recipients: [] });
  for (const { name } of await backups.list()) print(name);
}

async function identitiesIn(file: string | undefined): Promise<Identities> {
  return file === undefined ? [] : readIdentities(await readFile(file, 'utf8'));
}

/** The caller destroys the database. @throws {SettingsError} @throws {MissingStoreError} */
function openPlace(use: StoreUse, env: CommandCall['env']) {
  const settings = readSettings(declarations, env);
  const place: BackupPlace = {
    db: openStore(use, settings),
    uploads: settings.UPLOAD_DIR,
    keys: keyFiles(settings),
  };
  return { place, settings };
}

async function openBackup(file: string): Promise<Readable> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new BackupError(`${file} cannot be read`, { cause });
  });
  return handle.createReadStream();
}

/** @throws {BackupError} if it exists; what cannot be completed is removed */
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
