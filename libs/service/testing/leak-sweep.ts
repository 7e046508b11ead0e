import { isLibraryController } from '@app/contract';
import { Database, DatabaseSchemas, type Secrecy, type TableDefinition } from '@app/persistence';
import { ofAllTenants, textsOf } from '@app/persistence/testing';
import { sql } from 'kysely';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import { describeApi } from '../src/reference/api-description.service';
import { librarySchemas } from '../src/schema';
import type { BootedProgram } from './boot-program';
import { Client, type Reply } from './client';
import { fieldNames, type Leak, LeakDetector, plainName } from './leak-detector';

/** A caller of the routes. */
export interface SweepCaller {
  readonly name: string;
  readonly client: Client;
  readonly isAdministrator?: boolean;
  /** The id of its account, for {@link SweepPlan.export}. */
  readonly accountId?: number;
}

/** The way in which a program's routes are called. */
export interface SweepPlan {
  /** The callers in the order in which they call each route, with the most privileged caller last. */
  readonly callers: readonly SweepCaller[];
  /** The path parameters, such as `{ '/orders/:id': { id: 7 } }`. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  /** A new body for each call, such as `{ 'POST /posts': () => ({ slug: … }) }`. */
  readonly bodies: Readonly<Record<string, () => unknown>>;
  /** Routes that end a session or remove something. They are called last, in this order. */
  readonly last?: readonly string[];
  /** The route that sends its caller everything that is held about it, and nothing about other accounts. */
  readonly export?: string;
  /** Routes that end all access for their caller, or need a prepared caller. A newcomer calls each of these routes instead. */
  readonly byNewcomers?: {
    readonly routes: readonly string[];
    readonly newcomer: (route: string) => Promise<Client>;
  };
}

/** The result when every route was called. */
export interface Swept {
  /** The routes, such as `GET /users/me`. */
  readonly routes: readonly string[];
  /** Routes without a successful response. */
  readonly failed: readonly string[];
  /** Every status that was received. */
  readonly statuses: ReadonlySet<number>;
  /** Routes that refused every caller for want of credentials. */
  readonly unreached: readonly string[];
}

/** A value that the sweep has set, and its column. */
interface Marked {
  readonly where: string;
  readonly text: string;
}

/** The routes of plugins whose tables have names of less public library columns, such as the role in an organization. */
const pluginPaths: Readonly<Record<string, RegExp>> = {
  organizations: /^\/(?:organizations|invitations)(?:\/|$)/,
};

/** The subject of a revocation that concerns an account. */
const isId = /^\d+$/;

/** Calls every route of a program and searches all responses and logs for secrets. */
export class LeakSweep {
  private describedErrors: Set<string> | undefined;

  constructor(
    private readonly program: BootedProgram,
    readonly detector: LeakDetector,
  ) {}

  private get db(): Database {
    return this.program.app().get(Database, { strict: false });
  }

  private get tables(): readonly TableDefinition[] {
    return this.program.app().get(DatabaseSchemas, { strict: false }).tables;
  }

  /**
   * The tables that our own routes read: the library tables, and the account profile. Columns in other tables do not concern
   * these routes.
   */
  private get libraryTables(): readonly TableDefinition[] {
    const ours = new Set([
      ...librarySchemas.flatMap(({ tables }) => tables),
      ...this.tables.filter(isProfile),
    ]);
    return this.tables.filter((table) => ours.has(table));
  }

  /** The tables that a library route reads: the library tables, and the tables of its plugin. */
  private tablesOf(path: string): readonly TableDefinition[] {
    const schemas = this.program.app().get(DatabaseSchemas, { strict: false }).all;
    const own = schemas.filter(({ owner }) => pluginPaths[owner]?.test(path));
    return [...this.libraryTables, ...own.flatMap(({ tables }) => tables)];
  }

  /**
   * Sets a unique marker in each account's text columns, except columns that are public or needed to sign in. Also remembers all
   * secrets in the store.
   */
  async seed(): Promise<void> {
    const { db } = this;
    for (const { id } of await db.selectFrom('account').select('id').execute()) {
      const mark = (column: string) => `${markOf(id)}${column}-${Math.random().toString(36).slice(2)}`;
      await db
        .updateTable('account')
        .set({ passwordResetToken: mark('reset'), lastLoginIp: mark('ip'), fullName: mark('name') })
        .where('id', '=', id)
        .execute();
    }
    await this.remember();
  }

  /** Adds the secrets that the store has now to the search. */
  async remember(): Promise<void> {
    for (const secrecy of ['secret', 'shown-once'] as const)
      for (const { where, text } of await textsOf(this.db, this.tables, secrecy))
        if (!isId.test(text)) this.detector.keep(where, text);
  }

  /** Calls every route as every caller. */
  async callEveryRoute(plan: SweepPlan): Promise<Swept> {
    const [statuses, succeeded, reached] = [new Set<number>(), new Set<string>(), new Set<string>()];
    const marked = await textsOf(this.db, this.tables, 'operators');
    const operators = marked.filter(({ text }) => text.startsWith('mark-of-'));
    const routes = this.inOrder(plan);
    for (const { method, path, route, controller } of routes) {
      for (const caller of await callersOf(route, plan)) {
        const body = await plan.bodies[route]?.();
        const reply = await caller.client.send(method, filled(path, plan), body);
        statuses.add(reply.status);
        if (reply.status < 300) succeeded.add(route);
        if (reply.status !== 401) reached.add(route);
        const where = `${route} as ${caller.name}`;
        const isWrite = method !== 'GET';
        const named = isLibraryController(controller) ? this.tablesOf(path) : this.tables;
        if (route === plan.export) this.checkExport(where, reply, operators, caller);
        else
          this.checkReply(where, reply, caller.isAdministrator ? [] : operators, { isWrite, tables: named });
      }
      await this.remember();
    }
    const names = routes.map(({ route }) => route);
    const [failed, unreached] = [succeeded, reached].map((some) => names.filter((route) => !some.has(route)));
    return { routes: names, failed: failed ?? [], unreached: unreached ?? [], statuses };
  }

  /** Renames all tables, then closes the store, and each time calls every route with an invalid body. */
  async callWithoutStore(callers: readonly SweepCaller[], body: unknown): Promise<ReadonlySet<number>> {
    const statuses = new Set<number>();
    for (const breaking of [() => this.renameTables(), () => this.db.destroy()]) {
      await breaking();
      for (const { method, path, route } of this.inOrder({})) {
        for (const { name, client } of callers) {
          const url = path.replaceAll(/:\w+/g, '1');
          const reply = await client.send(method, url, method === 'GET' ? undefined : body);
          statuses.add(reply.status);
          this.checkReply(`${route} as ${name} without a store`, reply);
        }
      }
    }
    return statuses;
  }

  /**
   * Checks a response.
   *
   * @param operators the values that only administrators may read
   * @param source the source of its names; default a read, from any table
   */
  checkReply(
    where: string,
    reply: Reply,
    operators: readonly Marked[] = [],
    source: NameSource = { tables: this.tables },
  ): void {
    const shown: Secrecy = operators.length > 0 ? 'open' : 'operators';
    this.checkValues(where, reply, operators);
    this.checkNames(where, reply, hiddenNames(source, shown));
  }

  /** Checks an export. It may contain values about its caller that otherwise only administrators see. */
  private checkExport(where: string, reply: Reply, operators: readonly Marked[], { accountId }: SweepCaller) {
    const ofOthers = operators.filter(
      ({ text }) => accountId === undefined || !text.startsWith(markOf(accountId)),
    );
    this.checkValues(where, reply, ofOthers);
    const tables = this.tables.filter(
      (table) => this.libraryTables.includes(table) || Object.hasOwn(Object(table.exported), 'part'),
    );
    this.checkNames(where, reply, hiddenNames({ tables }, 'owner'));
  }

  private checkValues(where: string, reply: Reply, operators: readonly Marked[]): void {
    this.detector.check(where, reply);
    for (const { where: what, text } of operators) {
      if (reply.text.includes(text)) this.detector.leaks.push({ what, where });
    }
  }

  private checkNames(where: string, reply: Reply, hidden: readonly string[]): void {
    // The description has the names of all fields (decision D1); its values are checked like all others.
    const fields = where.startsWith('GET /openapi.json') ? new Set<string>() : fieldNames(reply.json);
    // The form of errors has members of its own, which are no columns.
    const ofErrors = reply.status < 400 ? new Set<string>() : this.errorMembers;
    const leaks = hidden.filter((name) => fields.has(name) && !ofErrors.has(name));
    this.detector.leaks.push(...leaks.map((what): Leak => ({ what, where })));
  }

  /** The member names in error bodies, as the program describes them. */
  private get errorMembers(): ReadonlySet<string> {
    if (this.describedErrors === undefined) {
      const { schemas, responses } = describeApi(this.program.app()).components;
      this.describedErrors = new Set();
      addMembers(responses, schemas, this.describedErrors);
    }
    return this.describedErrors;
  }

  private async renameTables(): Promise<void> {
    const db = ofAllTenants(this.db);
    for (const { name } of this.tables)
      await sql`alter table ${sql.table(name)} rename to ${sql.table(`gone_${name}`)}`.execute(db);
  }

  /** Returns the routes in calling order: creating first and removing last, so that there are rows to read. */
  private inOrder({ last = [] }: Pick<SweepPlan, 'last'>) {
    const order = ['POST', 'PUT', 'GET', 'PATCH', 'DELETE'];
    const routes = describeRoutes(this.program.app()).map(({ method, path, controller }) => ({
      method,
      path,
      controller,
      route: `${method} ${path}`,
    }));
    const rank = (route: (typeof routes)[number]) =>
      last.includes(route.route) ? order.length + last.indexOf(route.route) : order.indexOf(route.method);
    return routes.toSorted((left, right) => rank(left) - rank(right));
  }
}

async function callersOf(
  route: string,
  { callers, byNewcomers }: SweepPlan,
): Promise<readonly SweepCaller[]> {
  if (!byNewcomers?.routes.includes(route)) return callers;
  return [{ name: 'a newcomer', client: await byNewcomers.newcomer(route) }];
}

/** Returns the beginning of values that are set for an account. */
function markOf(accountId: number): string {
  return `mark-of-${accountId}-`;
}

/** Adds the member names in schemas, and in the schemas that they refer to. */
function addMembers(
  part: unknown,
  schemas: Readonly<Record<string, object>>,
  names: Set<string>,
  seen = new Set<unknown>(),
): void {
  if (seen.has(part)) return;
  seen.add(part);
  for (const [key, inner] of Object.entries(Object(part))) {
    const target = key === '$ref' ? schemas[String(inner).split('/').at(-1) ?? ''] : inner;
    if (key === 'properties') for (const name of Object.keys(Object(inner))) names.add(plainName(name));
    if (typeof target === 'object') addMembers(target, schemas, names, seen);
  }
}

function isProfile({ name }: TableDefinition): boolean {
  return name === 'profile';
}

/** The secrecy levels, from the least public. */
const levels: readonly Secrecy[] = ['secret', 'shown-once', 'internal', 'owner', 'operators', 'open'];

/** The source of the names in a response. */
export interface NameSource {
  readonly tables: readonly TableDefinition[];
  /** Whether the request may have created a row. The response to such a request has the values that are shown once. */
  readonly isWrite?: boolean;
}

/** Returns the names of columns that are less public. For a name in several places the most public level counts. */
export function hiddenNames({ tables, isWrite = false }: NameSource, shown: Secrecy): readonly string[] {
  const mostPublic = new Map<string, number>();
  for (const [name, visibility] of tables.flatMap(({ secrecy }) => Object.entries(secrecy))) {
    const previous = mostPublic.get(plainName(name)) ?? 0;
    const level = isWrite && visibility === 'shown-once' ? 'open' : visibility;
    mostPublic.set(plainName(name), Math.max(previous, levels.indexOf(level)));
  }
  for (const name of tables.flatMap(({ openMembers = [] }) => openMembers))
    mostPublic.set(plainName(name), levels.indexOf('open'));
  return [...mostPublic].filter(([, level]) => level < levels.indexOf(shown)).map(([name]) => name);
}

function filled(path: string, { parameters }: SweepPlan): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[path]?.[name] ?? '1'));
}
