import { parseArgs } from 'node:util';
import { KeyFileError } from '../errors';
import { type TokenAlgorithm, tokenAlgorithms } from '../tokens/algorithms';
import type { SigningKey } from '../tokens/token-key';
import { makeKey, readKeys, replaceKeys } from './key-file';

/** The settings and functions of the command. */
export interface KeysCommand {
  readonly path: string;
  /** The lifetime of access tokens, in seconds. */
  readonly ttlSeconds: number;
  readonly print: (line: string) => void;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** Programs read a changed file within a second. */
const DEFAULT_WAIT_SECONDS = 5;
/** A timer of more than 24 days fires at once. */
const longestPauseSeconds = 86_400;
const usage = 'give list, add, use, drop or rotate; --algorithm HS256, ES256 or EdDSA; --wait SECONDS';

type Keys = readonly [SigningKey, ...SigningKey[]];

/**
 * Lists or rotates the keys in a file, as the command line says. `add` adds a key that verifies, `use` makes the newest key
 * sign, and `drop` removes the rest. `rotate` does all three and waits until the previous key and its tokens are out of use.
 *
 * @throws TypeError for invalid arguments
 * @throws KeyFileError if the file is missing or unusable
 */
export async function runKeysCommand(command: KeysCommand, args: readonly string[]): Promise<void> {
  const { action, algorithm, waitSeconds } = readArguments(args);
  const steps = { add: () => add(command, algorithm), use: () => use(command), drop: () => drop(command) };
  if (action === 'rotate') {
    await steps.add();
    await wait(command, waitSeconds);
    await steps.use();
    await wait(command, waitSeconds + command.ttlSeconds);
    await steps.drop();
  } else if (action !== 'list') await steps[action]();
  for (const [at, { algorithm: name, kid }] of (await keysOf(command)).entries())
    command.print(`${name}  ${kid}  ${at === 0 ? 'signs' : 'verifies'}`);
}

type Action = 'list' | 'add' | 'use' | 'drop' | 'rotate';

interface Arguments {
  readonly action: Action;
  readonly algorithm?: TokenAlgorithm;
  readonly waitSeconds: number;
}

function readArguments(args: readonly string[]): Arguments {
  const options = { algorithm: { type: 'string' }, wait: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [action = '', ...others] = positionals;
  const algorithm = tokenAlgorithms.find((name) => name === values.algorithm);
  const waitSeconds = Number(values.wait ?? DEFAULT_WAIT_SECONDS);
  const isKnown = values.algorithm === undefined || algorithm !== undefined;
  if (!isAction(action) || others.length > 0 || !isKnown || !(waitSeconds >= 0)) throw new TypeError(usage);
  return { action, algorithm, waitSeconds };
}

function isAction(text: string): text is Action {
  return ['list', 'add', 'use', 'drop', 'rotate'].includes(text);
}

async function add({ path, print }: KeysCommand, algorithm?: TokenAlgorithm): Promise<void> {
  const keys = await keysOf({ path });
  const key = await makeKey(algorithm ?? keys[0].algorithm);
  await replaceKeys(path, [...keys, key]);
  print(`added ${key.algorithm} ${key.kid}, which verifies`);
}

async function use({ path, print }: KeysCommand): Promise<void> {
  const keys = await keysOf({ path });
  const newest = keys.at(-1) ?? keys[0];
  await replaceKeys(path, [newest, ...keys.filter((key) => key !== newest)]);
  print(`${newest.algorithm} ${newest.kid} signs`);
}

async function drop({ path, print }: KeysCommand): Promise<void> {
  const [first, ...others] = await keysOf({ path });
  await replaceKeys(path, [first]);
  for (const { algorithm, kid } of others) print(`dropped ${algorithm} ${kid}`);
}

async function wait({ print, pause }: KeysCommand, seconds: number): Promise<void> {
  print(`waiting ${seconds} s`);
  for (let left = seconds; left > 0; left -= longestPauseSeconds)
    await pause(Math.min(left, longestPauseSeconds) * 1000);
}

async function keysOf({ path }: Pick<KeysCommand, 'path'>): Promise<Keys> {
  const [first, ...others] = (await readKeys(path)) ?? [];
  if (first === undefined) throw new KeyFileError(path, 'is not there: a program creates it at its start');
  return [first, ...others];
}
