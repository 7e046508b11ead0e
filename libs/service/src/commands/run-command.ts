import type { FactorDeclaration, PluginHooks } from '@app/accounts';
import type { MigrationHistory } from '@app/persistence';
import { commandLine, type Declarations } from '@app/settings';
import { librarySchemas } from '../schema';
import { ignoreBrokenPipes } from '../process/process-exit';
import { SettingsError } from '../settings/errors';
import { unknownNames } from '../settings/unknown-names';
import { type Command, commandUses } from './command';
import { commands as ofEveryProgram } from './commands';

/** The program parts that commands use. */
interface CommandProgram {
  readonly histories?: readonly MigrationHistory[];
  readonly declarations?: Declarations;
  /** The application's own sign-in factors. */
  readonly factors?: readonly Pick<FactorDeclaration, 'access'>[];
  /** The hooks of the plugins on accounts. */
  readonly accountHooks?: PluginHooks;
  /** The program's commands. Default: the commands of every program. */
  readonly commands?: readonly Command[];
}

/**
 * Runs the command that the program's arguments name, or `--help`. If the command fails, the reason is written to standard error
 * and the exit code is 1.
 *
 * @param program the tables (default: the libraries' tables), commands and settings; misspelt setting names are refused
 */
export async function runCommand(
  [name = '', ...args]: readonly string[],
  {
    histories = librarySchemas,
    declarations = {},
    factors = [],
    accountHooks = {},
    commands = ofEveryProgram,
  }: CommandProgram = {},
): Promise<void> {
  // A reader such as `head` may end before the command.
  ignoreBrokenPipes();
  const command = commands.find((candidate) => candidate.name === name);
  try {
    if (asksForHelp(name)) print(overview(commands));
    else if (command === undefined) throw new TypeError(`${name} is not a command.\n${overview(commands)}`);
    else if (args.some(asksForHelp)) print(usageOf(command));
    else {
      const unknown = unknownNames(declarations, process.env);
      if (unknown.length > 0) throw new SettingsError(unknown);
      const uses = commandUses(process.env, declarations, print);
      await command.run({ ...uses, args, histories, factors, accountHooks });
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

function asksForHelp(argument: string): boolean {
  return ['--help', '-h', 'help'].includes(argument);
}

function overview(commands: readonly Command[]): string {
  return [`${commandLine()}\n    starts the program`, ...commands.map(usageOf)].join('\n');
}

function usageOf({ name, args, does }: Command): string {
  return `${commandLine([name, ...(args === '' ? [] : [args])])}\n    ${does}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
