import { Database } from '@app/persistence';
import { secrecy, type Secrecy, textsOf } from '@app/persistence/testing';
import { sql } from 'kysely';
import { describeRoutes } from '../src/nest/contract/describe-routes';
import type { BootedProgram } from './boot-program';
import { Client, type Reply } from './client';
import { fieldNames, type Leak, LeakWatch, plainName } from './leak-watch';

/** Somebody who calls. */
export interface SweepCaller {
  readonly name: string;
  readonly client: Client;
  readonly isAdministrator?: boolean;
}

/** How the routes of a program are called. */
export interface SweepPlan {
  /** In the order in which they call each route: who may do most comes last. */
  readonly callers: readonly SweepCaller[];
  /** The values of the parameters of a path, such as `{ '/orders/:id': { id: 7 } }`. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  /** A new body for each call, such as `{ 'POST /posts': () => ({ slug: … }) }`. */
  readonly bodies: Readonly<Record<string, () => unknown>>;
  /** Routes after which a caller is signed in no longer, or what they are called about is gone; in that order. */
  readonly last?: readonly string[];
}

/** What came of calling every route. */
export interface Swept {
  /** Such as `GET /users/me`. */
  readonly routes: readonly string[];
  /** Those that answered nobody with a success. */
  readonly refused: readonly string[];
  /** Every status that was answered. */
  readonly statuses: ReadonlySet<number>;
}

/** Calls what a program has to call and looks at all it answers and logs. */
export class LeakSweep {
  constructor(
    private readonly program: BootedProgram,
    readonly watch: LeakWatch,
  ) {}

  private get db(): Database {
    return this.program.app().get(Database, { strict: false });
  }

  /**
   * Puts a mark of its own into every column of every account that is a text, not open and not needed to sign in,
   * and remembers all that is secret in the store.
   */
  async seed(): Promise<void> {
    const { db } = this;
    for (const { id } of await db.selectFrom('account').select('id').execute()) {
      const mark = (column: string) => `mark-of-${column}-${id}-${Math.random().toString(36).slice(2)}`;
      await db
        .updateTable('account')
        .set({ passwordResetToken: mark('reset'), lastLoginIp: mark('ip'), fullName: mark('name') })
        .where('id', '=', id)
        .execute();
    }
    await this.remember();
  }

  /** Remembers what is secret in the store by now. */
  async remember(): Promise<void> {
    for (const { where, text } of await textsOf(this.db, 'secret')) this.watch.keep(where, text);
  }

  /** Calls every route that the program says it has, as everybody. */
  async callEveryRoute(plan: SweepPlan): Promise<Swept> {
    const [statuses, succeeded] = [new Set<number>(), new Set<string>()];
    const operators = (await textsOf(this.db, 'operators')).filter(({ text }) => text.startsWith('mark-of-'));
    const routes = this.inOrder(plan);
    for (const { method, path, route } of routes) {
      for (const caller of plan.callers) {
        const body = plan.bodies[route]?.();
        const reply = await caller.client.send(method, filled(path, plan), body);
        statuses.add(reply.status);
        if (reply.status < 300) succeeded.add(route);
        this.lookAt(`${route} as ${caller.name}`, reply, caller.isAdministrator ? [] : operators);
      }
      await this.remember();
    }
    const names = routes.map(({ route }) => route);
    return { routes: names, refused: names.filter((route) => !succeeded.has(route)), statuses };
  }

  /** Breaks the store by halves, then altogether, and calls every route again with a body that fits none. */
  async callWithoutStore(callers: readonly SweepCaller[], body: unknown): Promise<ReadonlySet<number>> {
    const statuses = new Set<number>();
    for (const breaking of [() => this.renameTables(), () => this.db.destroy()]) {
      await breaking();
      for (const { method, path, route } of this.inOrder({})) {
        for (const { name, client } of callers) {
          const url = path.replaceAll(/:\w+/g, '1');
          const reply = await client.send(method, url, method === 'GET' ? undefined : body);
          statuses.add(reply.status);
          this.lookAt(`${route} as ${name} without a store`, reply);
        }
      }
    }
    return statuses;
  }

  /** Looks at one answer; for `operators` what only they may read. */
  lookAt(where: string, reply: Reply, operators: readonly { where: string; text: string }[] = []): void {
    this.watch.look(where, reply);
    for (const { where: what, text } of operators) {
      if (reply.text.includes(text)) this.watch.leaks.push({ what, where });
    }
    const hidden =
      operators.length > 0
        ? [...hiddenNames('internal'), ...hiddenNames('operators')]
        : hiddenNames('internal');
    // The description names every field to everybody (D1); its values are looked at like all others.
    const found = where.startsWith('GET /openapi.json') ? new Set<string>() : fieldNames(reply.json);
    this.watch.leaks.push(...hidden.filter((name) => found.has(name)).map((what): Leak => ({ what, where })));
  }

  private async renameTables(): Promise<void> {
    for (const table of Object.keys(secrecy)) {
      await sql`alter table ${sql.table(table)} rename to ${sql.table(`gone_${table}`)}`.execute(this.db);
    }
  }

  /** Making first, removing last: there is something to read, and what is removed can be called no more. */
  private inOrder({ last = [] }: Pick<SweepPlan, 'last'>) {
    const order = ['POST', 'GET', 'PATCH', 'DELETE'];
    const routes = describeRoutes(this.program.app()).map(({ method, path }) => ({
      method,
      path,
      route: `${method} ${path}`,
    }));
    const rank = (route: (typeof routes)[number]) =>
      last.includes(route.route) ? order.length + last.indexOf(route.route) : order.indexOf(route.method);
    return routes.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** A name is hidden where no table opens it further. */
function hiddenNames(wanted: Secrecy): readonly string[] {
  const levels: readonly Secrecy[] = ['secret', 'internal', 'operators', 'open'];
  const openest = new Map<string, Secrecy>();
  for (const [name, found] of Object.values(secrecy).flatMap((columns) => Object.entries(columns))) {
    const known = openest.get(plainName(name)) ?? 'secret';
    openest.set(plainName(name), levels[Math.max(levels.indexOf(known), levels.indexOf(found))]);
  }
  const isHidden = (level: Secrecy) =>
    wanted === 'internal' ? level === 'secret' || level === 'internal' : level === wanted;
  return [...openest].filter(([, level]) => isHidden(level)).map(([name]) => name);
}

function filled(path: string, { parameters }: SweepPlan): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[path]?.[name] ?? '1'));
}
