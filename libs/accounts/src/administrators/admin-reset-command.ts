import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { checkMigrations, type Database, type MigrationHistory } from '@app/persistence';
import type { Enrolments } from '../factors/enrolments';
import { makePassword } from './make-password';
import type { PluginHooks } from '../account/account-hooks';
import { accountsSettings } from '../settings';
import { AdministratorReset, type ResetAdministrator } from './administrator-reset';

const mustBeChanged =
  'It must be changed at the first sign-in (POST /auth/password-changes); other requests are answered by 403 until then.';

/** The message that explains how to call the command. */
const usage = 'give --email admin@example.com, and --password-stdin to read the password from standard input';

/** The program parts that runs the command. */
interface ResetProgram {
  readonly histories: readonly MigrationHistory[];
  readonly enrolments: Enrolments;
  readonly hooks?: PluginHooks;
}

/**
 * Resets an administrator, as the command-line arguments say. A password is never an argument, because other users could read it
 * in the process list.
 *
 * @param input the password and a line end, with `--password-stdin`; otherwise a password is generated
 * @returns the lines to print; a generated password appears only here
 * @throws {TypeError} for unknown arguments, or an invalid e-mail or password
 * @throws {PendingMigrationsError} if the database lacks migrations
 */
export async function runAdminResetCommand(
  db: Database,
  args: readonly string[],
  { histories, enrolments, hooks }: ResetProgram,
  input: NodeJS.ReadableStream,
): Promise<readonly string[]> {
  const { email, isGiven } = readArguments(args);
  await checkMigrations(db, histories);
  const password = isGiven ? await readPassword(input) : makePassword();
  const done = await new AdministratorReset(db, enrolments, hooks).reset(email, password, {
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

/** Parses the arguments. Its error omits them, because they may contain a password. */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new TypeError(usage);
  }
}

async function readPassword(input: NodeJS.ReadableStream): Promise<string> {
  const password = (await text(input)).replace(/\r?\n$/, '');
  const { data, error } = accountsSettings.ADMIN_PASSWORD.safeParse(password);
  if (data !== undefined && data.isWellFormed()) return data;
  throw new TypeError(`the password ${error?.issues[0]?.message ?? 'must be well-formed Unicode'}`);
}

function changes({ isCreated, sessions, keys }: ResetAdministrator): string {
  if (isCreated) return 'The account was created.';
  return `Its password was set; ${sessions} sessions and ${keys} API keys were revoked.`;
}
