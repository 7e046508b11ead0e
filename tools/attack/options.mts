import { parseArgs } from 'node:util';
import { isLoopback } from './target/program-meter.mts';
import { efforts, type Effort } from './target/target.mts';
import type { GivenAccount } from './target/callers.mts';

/** The command's options. */
export interface Options {
  /** The URL of a service outside the workspace. */
  readonly url?: string;
  /** A path of the service, or a file: `./openapi.json`. */
  readonly openapi: string;
  readonly accounts:
    { readonly user: GivenAccount; readonly other: GivenAccount; readonly admin: GivenAccount } | undefined;
  readonly secret?: string;
  /** The origin of the pages that the passkeys belong to. */
  readonly origin?: string;
  readonly logFile?: string;
  /** The paths of WebSocket gateways that require a caller. */
  readonly gateways: readonly string[];
  readonly only: readonly string[];
  /** The checks that may lack something, such as a resource that the accounts cannot create. */
  readonly maySkip: readonly string[];
  readonly effort: Effort;
  readonly json: boolean;
  /** Whether to attack the programs in `dist` without a build. */
  readonly built: boolean;
}

const flags = {
  url: { type: 'string' },
  'this-is-mine': { type: 'boolean' },
  openapi: { type: 'string' },
  user: { type: 'string' },
  other: { type: 'string' },
  admin: { type: 'string' },
  secret: { type: 'string' },
  origin: { type: 'string' },
  log: { type: 'string' },
  gateway: { type: 'string', multiple: true },
  only: { type: 'string', multiple: true },
  'may-skip': { type: 'string', multiple: true },
  quick: { type: 'boolean' },
  json: { type: 'boolean' },
  built: { type: 'boolean' },
} as const;

/**
 * Reads flags and environment. An account is `email:password` or `Bearer <token>`. The environment variables are `ATTACK_USER`,
 * `ATTACK_OTHER`, `ATTACK_ADMIN` and `ATTACK_SECRET`, which a process list does not show.
 *
 * @throws Error that says which value is missing or not permitted
 */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options {
  const { values } = parseArgs({ args: [...args], options: flags });
  const { url } = values;
  if (url !== undefined && !isLoopback(new URL(url).hostname) && !values['this-is-mine'])
    throw new Error(`${url} is not this machine. Attack only what is yours, and say so with --this-is-mine`);
  const credentials = {
    user: values.user ?? env.ATTACK_USER,
    other: values.other ?? env.ATTACK_OTHER,
    admin: values.admin ?? env.ATTACK_ADMIN,
  };
  return {
    url: url?.replace(/\/$/, ''),
    openapi: values.openapi ?? '/openapi.json',
    accounts: url === undefined ? undefined : allOf(credentials),
    secret: values.secret ?? env.ATTACK_SECRET,
    origin: values.origin,
    logFile: values.log,
    gateways: values.gateway ?? [],
    only: values.only ?? [],
    maySkip: values['may-skip'] ?? [],
    effort: values.quick ? efforts.quick : efforts.full,
    json: values.json ?? false,
    built: values.built ?? false,
  };
}

function allOf(values: Readonly<Record<'user' | 'other' | 'admin', string | undefined>>) {
  const { user, other: stranger, admin } = values;
  if (user === undefined || stranger === undefined || admin === undefined)
    throw new Error(
      '--url needs three accounts: --user, --other and --admin, or ATTACK_USER, ATTACK_OTHER and ATTACK_ADMIN',
    );
  return { user, other: stranger, admin };
}
