import { type GivenAccount, Caller, findRefresh, findSignIn } from './target/callers.mts';
import { checks } from './checks/all.mts';
import { LeakDetector } from './wire/leaks.mts';
import { readOperations } from './openapi/openapi.mts';
import { meterOf } from './target/program-meter.mts';
import { Findings, type Result, resultOf } from './target/results.mts';
import type {
  Effort,
  MailsTo,
  StartedProgram,
  StartSecond,
  StartWithClock,
  Target,
} from './target/target.mts';
import type { ServiceLog } from './target/service-log.mts';
import type { IdentityProvider } from './wire/identity-provider.mts';
import { Wire } from './wire/wire.mts';

/** A service, and the configuration of the attack on it. */
export interface Service {
  readonly url: string;
  /** The OpenAPI document: the path at which the service serves it, or its text. */
  readonly document: { readonly path: string } | { readonly text: string };
  readonly accounts: {
    readonly user: GivenAccount;
    readonly other: GivenAccount;
    readonly admin: GivenAccount;
  };
  readonly secret?: string;
  /** The origin of the pages that the passkeys belong to. The default is the passkey host's origin. */
  readonly origin?: string;
  readonly log?: ServiceLog;
  readonly gateways?: readonly string[];
  readonly startWithClock?: StartWithClock;
  readonly startSecond?: StartSecond;
  readonly startLimited?: StartSecond;
  readonly elsewhere?: Target['elsewhere'];
  readonly mailsTo?: MailsTo;
  readonly recordsFrom?: Target['recordsFrom'];
  readonly providers?: readonly IdentityProvider[];
  /** The addresses to send from besides the default address. */
  readonly addresses: readonly string[];
}

/** The plan for an attack. */
export interface Plan {
  readonly effort: Effort;
  /** The filters. A check runs if its area or name contains a filter; all checks run if the list is empty. */
  readonly only: readonly string[];
  /** Receives each result as it comes. */
  readonly onResult?: (result: Result) => void;
}

/**
 * Attacks a service by running every check in turn.
 *
 * @throws Error if the service has no document, or an account cannot sign in
 */
export async function attack(service: Service, { effort, only, onResult }: Plan): Promise<Result[]> {
  const wire = new Wire(new URL(service.url), new LeakDetector());
  const second = startedOnce(service.startSecond);
  try {
    const target = await targetOf({ ...service, startSecond: second?.start }, wire, effort);
    const chosen = checks.filter(
      ({ area, name }) => only.length === 0 || only.some((part) => `${area}: ${name}`.includes(part)),
    );
    const results: Result[] = [];
    for (const { area, name, run } of chosen) {
      const findings = new Findings(wire);
      await findings.unlessSkipped(() => run({ ...target, findings }, findings));
      const result = resultOf(area, name, findings);
      results.push(result);
      onResult?.(result);
    }
    return results;
  } finally {
    wire.close();
    await second?.stop();
  }
}

/** A program that starts with its first use, and serves the checks after it, too. */
function startedOnce(start: StartSecond | undefined) {
  if (start === undefined) return undefined;
  let running: Promise<StartedProgram> | undefined;
  return {
    start: async () => ({ url: (await (running ??= start())).url, stop: () => Promise.resolve() }),
    stop: async () => (await running)?.stop(),
  };
}

async function targetOf(service: Service, wire: Wire, effort: Effort): Promise<Omit<Target, 'findings'>> {
  const operations = readOperations(await documentOf(service, wire));
  const signIn = findSignIn(operations);
  const caller = (name: 'user' | 'other' | 'admin') => new Caller(name, service.accounts[name], signIn, wire);
  const callers = { user: caller('user'), other: caller('other'), admin: caller('admin') };
  for (const account of Object.values(callers)) await account.accessToken();
  wire.watch.keep('the secret of its tokens', service.secret);
  return {
    wire,
    operations,
    callers,
    signIn,
    refresh: findRefresh(operations),
    documentPath: 'path' in service.document ? service.document.path : undefined,
    meter: meterOf(wire.url),
    log: service.log,
    secret: service.secret,
    origin: service.origin,
    gateways: service.gateways ?? [],
    startWithClock: service.startWithClock,
    startSecond: service.startSecond,
    startLimited: service.startLimited,
    elsewhere: service.elsewhere,
    mailsTo: service.mailsTo,
    recordsFrom: service.recordsFrom,
    providers: service.providers ?? [],
    addresses: service.addresses,
    effort,
  };
}

async function documentOf({ url, document }: Service, wire: Wire): Promise<string> {
  if ('text' in document) return document.text;
  const { status, text } = await wire.send({ method: 'GET', path: document.path });
  if (status !== 200) throw new Error(`GET ${url}${document.path} answered ${status || text}`);
  return text;
}
