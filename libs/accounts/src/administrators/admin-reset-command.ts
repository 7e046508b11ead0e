import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { checkMigrations, type Database, type MigrationHistory } from '@app/persistence';
import type { Enrolments } from '../factors/enrolments';
import { makePassword } from './make-password';
import { accountsSettings } from '../settings';
import { AdministratorReset, type ResetAdministrator } from './administrator-reset';

const mustBeChanged =
  'It must be changed at the first sign-in (POST /auth/password-changes); other requests are answered by 403 until then.';

/** How the command is called. */
const usage = 'give --email admin@example.com, and --password-stdin to read the password from standard input';

/**
 * Resets an administrator, by the arguments of the command line. A password is never an argument: other users of the machine could
 * read it in the list of processes.
 *
 * @param input the password and a line end, with `--password-stdin`; otherwise a password is generated
 * @returns what to print, line by line; a generated password is shown here alone
 * @throws {TypeError} for other arguments, or an invalid e-mail or password
 * @throws {PendingMigrationsError} if the database lacks migrations
 */
export async function runAdminResetCommand(
  db: Database,
  args: readonly string[],
  { histories, enrolments }: { histories: readonly MigrationHistory[]; enrolments: Enrolments },
  input: NodeJS.ReadableStream,
): Promise<readonly string[]> {
  const { email, isGiven } = readArguments(args);
  await checkMigrations(db, histories);
  const password = isGiven ? await readPassword(input) : makePassword();
  const done = await new AdministratorReset(db, enrolments).reset(email, password, {
    isGenerated: !isGiven,
  });
  const lines = [`${email} is an administrator. ${changes(done)}`];
  return isGiven ? lines : [...lines, `password, shown once: ${password}`, mustBeChanged];
}

function readArguments(args: readonly string[]): { email: string; isGiven: boolean } {
  const options = { email: { type: 'string' }, 'password-stdin': { type: 'boolean' } } as const;
  const { email, 'password-stdin': isGiven = false } = parsed(
    () => parseArgs({ args: [...args], options }).values,
  );
  const result = accountsSettings.ADMIN_EMAIL.safeParse(email);
  if (result.data === undefined) throw new TypeError(usage);
  return { email: result.data, isGiven };
}

/** Without the arguments, which may contain a password. */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new TypeError(usage);
  }
}

async function readPassword(input: NodeJS.ReadableStream): Promise<string> {
  const given = (await text(input)).replace(/\r?\n$/, '');
  const { data, error } = accountsSettings.ADMIN_PASSWORD.safeParse(given);
  if (data !== undefined && data.isWellFormed()) return data;
  throw new TypeError(`the password ${error?.issues[0]?.message ?? 'must be well-formed Unicode'}`);
}

function changes({ isCreated, sessions, keys }: ResetAdministrator): string {
  if (isCreated) return 'The account was created.';
  return `Its password was set; ${sessions} sessions and ${keys} API keys were revoked.`;
}
