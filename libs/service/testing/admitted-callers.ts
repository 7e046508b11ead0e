import { findAuthOptions } from '@app/auth';
import type { RouteDescription } from '@app/contract';
import type { BootedProgram } from './boot-program';
import type { Client } from './client';

/** Signs in a caller for a strategy that rejects session access tokens. */
export type SignIn = (program: BootedProgram) => Promise<Client>;

/** Signs in by a new API key of the administrator. */
const byApiKey: SignIn = async (program) => {
  const { json } = await (await program.administrator()).post('/auth/api-keys', { name: 'a promise' });
  return program().with({ 'x-api-key': json.apiKey });
};

/** Finds a caller whom a route admits. */
export class AdmittedCallers {
  private readonly signIns: Readonly<Record<string, SignIn>>;
  private readonly clients = new Map<string, Promise<Client>>();

  /**
   * Creates the callers.
   *
   * @param signIns by strategy name
   */
  constructor(
    private readonly program: BootedProgram,
    signIns: Readonly<Record<string, SignIn>>,
  ) {
    this.signIns = { 'api-key': byApiKey, ...signIns };
  }

  /** Returns whether a signed-in user needs no further credentials. */
  takesSession({ callers: { isPublic, strategies } }: RouteDescription): boolean {
    const [standard] = findAuthOptions(this.program.app())?.strategies.keys() ?? [];
    return isPublic || standard === undefined || strategies.includes(standard);
  }

  /**
   * Returns the administrator, or the caller for the route's own strategy.
   *
   * @throws Error if the test has no client for the route's strategies
   */
  clientOf(route: RouteDescription): Promise<Client> {
    const { strategies } = route.callers;
    const own = strategies.find((name) => name in this.signIns);
    const signIn = this.takesSession(route) ? this.program.administrator : own && this.signIns[own];
    if (!signIn)
      throw new Error(
        `${route.method} ${route.path} admits callers of ${strategies.join(', ')} alone. ` +
          `Pass clients: { '${strategies[0]}': async (program) => program().with({ … }) } to theProgramKeepsItsPromises.`,
      );
    const key = this.takesSession(route) ? '' : (own ?? '');
    const client = this.clients.get(key) ?? signIn(this.program);
    this.clients.set(key, client);
    return client;
  }
}
