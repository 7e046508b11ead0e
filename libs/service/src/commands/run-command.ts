import type { SignInWay } from '@app/accounts';
import type { MigrationHistory } from '@app/persistence';
import { commandLine, type Declarations } from '@app/settings';
import { librarySchemas } from '../schema';
import { ignoreBrokenPipes } from '../process/process-exit';
import { SettingsError } from '../settings/errors';
import { unknownNames } from '../settings/unknown-names';
import type { Command, NamedCommand } from './command';
import { commands } from './commands';

/** What a command uses of a program. */
interface CommandProgram {
  readonly histories?: readonly MigrationHistory[];
  readonly declarations?: Declarations;
  /** Ways to sign in of the application. */
  readonly ways?: readonly SignInWay[];
  /** The commands of its plugins. */
  readonly commands?: readonly NamedCommand[];
}

/**
 * Runs what the arguments of a program name: one of {@link commands}, or `--help`. If it fails, the reason is written to standard
 * error and the exit code is 1.
 *
 * @param program its tables, default those of the libraries, and its settings, whose misspelt names are refused
 */
export async function runCommand(
  [name = '', ...args]: readonly string[],
  { histories = librarySchemas, declarations = {}, ways = [], commands: further = [] }: CommandProgram = {},
): Promise<void> {
  // A reader such as `head` may end before the command.
  ignoreBrokenPipes();
  const all = new Map<string, Command>([
    ...commands,
    ...further.map((command) => [command.name, command] as const),
  ]);
  const command = all.get(name);
  try {
    if (asksForHelp(name)) print(overview(all));
    else if (command === undefined) throw new TypeError(`${name} is not a command.\n${overview(all)}`);
    else if (args.some(asksForHelp)) print(usageOf(name, command));
    else {
      const unknown = unknownNames(declarations, process.env);
      if (unknown.length > 0) throw new SettingsError(unknown);
      await command.run({ env: process.env, args, print, histories, ways });
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

function asksForHelp(argument: string): boolean {
  return ['--help', '-h', 'help'].includes(argument);
}

function overview(all: ReadonlyMap<string, Command>): string {
  const usages = [...all].map(([name, command]) => usageOf(name, command));
  return [`${commandLine()}\n    starts the program`, ...usages].join('\n');
}

function usageOf(name: string, { args, does }: Command): string {
  return `${commandLine([name, ...(args === '' ? [] : [args])])}\n    ${does}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
