import { existsSync, readFileSync } from 'node:fs';
import { AccountExport } from '@app/accounts';
import { directSignIn } from '@app/auth';
import { type Exposure, exposureOf, isLibraryController, responsesLeftToLibrary } from '@app/contract';
import { sentNames } from '@app/contract/testing';
import { Database, isExported, type TableDefinition } from '@app/persistence';
import {
  expectNoFaults,
  type Fault,
  foreignKeys,
  historyBehaves,
  undeclaredColumns,
} from '@app/persistence/testing';
import type { Declarations } from '@app/settings';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import { describeTenantExceptions } from '../src/contract/tenant-exceptions.discovery';
import { describeApi } from '../src/reference/api-description.service';
import { librarySchemas, schemasOf } from '../src/schema';
import { type BootedProgram, bootProgram, type BootPlan } from './boot-program';
import type { Client } from './client';
import { AdmittedCallers, type SignIn } from './admitted-callers';
import { LeakDetector } from './leak-detector';
import { LeakSweep } from './leak-sweep';
import { readOrders } from './list-orders';
import {
  admissionFaults,
  columnFaults,
  directSignInFaults,
  documentFaults,
  exportedColumnFaults,
  exportFaults,
  type FaultPlaces,
  leakFaults,
  lockFaults,
  orderFaults,
  sharedNameFault,
  uncompiledResponses,
  unreachedFaults,
  withPlaces,
} from './promise-faults';
import { stopHousekeeping } from './stop-housekeeping';
import { type PromiseTest, testDescription } from './test-description';
import { uncompiledInputs } from './uncompiled-inputs';

/** The options for {@link theProgramKeepsItsPromises}. */
export interface PromiseOptions {
  /** Creates rows in the program's lists, so that their orders have several pages. */
  readonly seed?: (administrator: Client) => Promise<unknown>;
  /** The route that sends the caller's own export; default `GET /users/me/export`. */
  readonly export?: string;
  /** The callers for strategies that reject session access tokens, by strategy name. */
  readonly clients?: Readonly<Record<string, SignIn>>;
  /** The promises that the program does not keep, by name, with the reason that the test prints. */
  readonly skip?: Readonly<Record<string, string>>;
}

/** An alias of `it`, because the lint rules take each call by its own name for a test with a fixed title. */
const defineTest = it;

/**
 * Tests the promises that every program keeps. It checks each column's secrecy, the account export, the index for each list
 * order, leaks in responses and in the log, the API description, compiled validation and serialization, and the contract lock. A
 * spec calls it in place of `describe`.
 *
 * @example
 * ```ts
 * theProgramKeepsItsPromises(program);
 * ```
 */
export function theProgramKeepsItsPromises<const D extends Declarations>(
  plan: BootPlan<D>,
  { seed, export: exportRoute = 'GET /users/me/export', clients = {}, skip = {} }: PromiseOptions = {},
): void {
  const { all, tables } = schemasOf(plan);
  for (const schema of all.slice(librarySchemas.length)) historyBehaves(schema, librarySchemas);

  describe(`${plan.name} keeps its promises`, () => {
    const detector = new LeakDetector();
    const names = new Set<string>();
    const promise: PromiseTest = (name, run) => {
      names.add(name);
      defineTest(name, { timeout: 600_000 }, (context) => {
        const reason = skip[name];
        return reason === undefined ? run(context) : context.skip(reason);
      });
    };
    const program = bootProgram({ ...plan, logs: detector.logs, env: { LOG_LEVEL: 'trace', ...plan.env } });
    const callers = new AdmittedCallers(program, clients);
    const expectFaultless = (find: (places: FaultPlaces) => readonly Fault[]): void =>
      withPlaces(describeRoutes(program.app()), (places) => expectNoFaults(find(places)));

    promise('each column declares who may read it, and has a migration that adds it', async () => {
      expectNoFaults(columnFaults(await undeclaredColumns(databaseOf(program), tables), tables));
    });

    promise('the export of an account has each table with something of it, or a reason', async () => {
      const { classes } = program.app().get(AccountExport, { strict: false });
      const owned = await tablesOfAccounts(databaseOf(program));
      const without = tables.filter(({ exported: place }) => place === 'nothing of an account');
      const silent = without.map(({ name }) => name).filter((name) => owned.has(snakeCased(name)));
      expectNoFaults(
        exportFaults({ tables: exportedTables(tables), parts: new Set(classes.keys()), silent }),
      );
    });

    promise('the export has each column of them that is not internal, or a reason', () => {
      const { classes } = program.app().get(AccountExport, { strict: false });
      const forgotten = exportedTables(tables).flatMap(({ name, secrecy, part }) => {
        const type = classes.get(part);
        const sent = type ? sentNames(type) : new Set();
        return shownColumns(secrecy).flatMap((column) => (sent.has(column) ? [] : [`${name}.${column}`]));
      });
      const explained = exportedTables(tables).flatMap(({ name, without = {} }) =>
        Object.keys(without).map((column) => `${name}.${column}`),
      );
      expectNoFaults(exportedColumnFaults(forgotten, explained));
    });

    promise('each order of a list is read by an index', async () => {
      await stopHousekeeping(program.app());
      await seed?.(await program.administrator());
      const { read, faults } = await readOrders(program);
      if (seed) expect(read).not.toEqual([]);
      expectFaultless((places) => orderFaults(faults, places));
    });

    promise(
      'a route that is not public refuses a request without credentials, before any other check',
      async () => {
        const admitted: { route: string; status: number }[] = [];
        for (const { method, path } of describeRoutes(program.app()).filter(
          (route) => !route.callers.isPublic,
        )) {
          const { status } = await program().send(
            method,
            path.replaceAll(/:\w+/g, 'nonsense'),
            method === 'GET' ? undefined : { odd: true },
          );
          if (status !== 401) admitted.push({ route: `${method} ${path}`, status });
        }
        expectFaultless((places) => admissionFaults(admitted, places));
      },
    );

    promise('each route that changes an account says whether a caller with scopes may call it', () => {
      const changing = describeRoutes(program.app()).filter(
        (route) => isLibraryController(route.controller) && route.method !== 'GET' && !route.callers.isPublic,
      );
      expect(changing).not.toEqual([]);
      const silent = changing.filter(
        ({ controller, handler }) => ![controller, controller.prototype[handler]].some(directSignIn.isOn),
      );
      expectFaultless((places) => directSignInFaults(silent, places));
    });

    promise('no secret is in a response, a header or the log', async () => {
      const sweep = new LeakSweep(program, detector);
      const [user, administrator] = [await program.newcomer(), await program.administrator()];
      const newcomer = newcomerWhileSignedIn(program);
      await sweep.seed();
      const { json: document } = await program().get('/openapi.json');
      const described = describeRoutes(program.app());
      const routeOf = (name: string) => described.find(({ method, path }) => `${method} ${path}` === name);
      const bodies = described.flatMap(({ method, path }) => {
        const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
        const example = operation?.requestBody?.content['application/json']?.example;
        return example === undefined ? [] : [[`${method} ${path}`, () => example] as const];
      });
      const { statuses, unreached } = await sweep.callEveryRoute({
        callers: [
          { name: 'nobody', client: program() },
          { name: 'a user', client: user, accountId: await accountOf(user) },
          {
            name: 'an administrator',
            client: administrator,
            isAdministrator: true,
            accountId: await accountOf(administrator),
          },
        ],
        parameters: {},
        bodies: Object.fromEntries(bodies),
        export: exportRoute,
        // What changes something may end the session of its caller.
        byNewcomers: {
          routes: described
            .filter((route) => route.method !== 'GET' || !callers.takesSession(route))
            .map(({ method, path }) => `${method} ${path}`),
          newcomer: async (name) => {
            const route = routeOf(name);
            return route && !callers.takesSession(route) ? callers.clientOf(route) : newcomer();
          },
        },
      });
      expect([...statuses]).toEqual(expect.arrayContaining([200, 401]));
      expect(detector.checkLog()).toBeGreaterThan(0);
      const closed = unreached.filter((name) => !routeOf(name)?.callers.isPublic);
      expectFaultless((places) => [
        ...unreachedFaults(closed, places),
        ...leakFaults(detector.leaks, places),
      ]);
    });

    promise('its description is OpenAPI 3.1', async () => {
      const { json } = await program().get('/openapi.json');
      const { valid, errors = [] } = await new Validator().validate(json);
      expectNoFaults(valid ? [] : documentFaults([errors].flat()));
    });

    promise('its description has one class by each name', () => {
      const schemas = Object.keys(describeApi(program.app()).components.schemas);
      const counted = schemas.filter(
        (name) => /\d$/.test(name) && schemas.includes(name.replace(/\d+$/, '')),
      );
      expectNoFaults(counted.map(sharedNameFault));
    });

    const invalidStatus = plan.errors?.status?.invalid ?? 400;
    testDescription({ program, callers, invalidStatus, promise });

    promise('input is validated by compiled code, every rule of every class', () => {
      expectFaultless((places) => uncompiledInputs(program.app(), places));
    });

    promise('responses are written by compiled code completely', () => {
      expectFaultless((places) => uncompiledResponses(responsesLeftToLibrary(program.app()), places));
    });

    /** Compares the contract with its lock. `npm run generate` locks an intended difference, for a reviewer to read. */
    promise('what it exposes is what contract.lock.json has', () => {
      const app = program.app();
      const exposed = exposureOf(describeRoutes(app), describeApi(app), describeTenantExceptions(app));
      expectFaultless((places) => lockFaults(lockedOf(plan.name), exposed, places));
    });

    it('skips only what it promises', () => {
      expect([...names]).toEqual(expect.arrayContaining(Object.keys(skip)));
    });
  });
}

function databaseOf(program: BootedProgram): Database {
  return program.app().get(Database, { strict: false });
}

async function accountOf(client: Client): Promise<number> {
  return (await client.get('/auth/profile')).json.userId;
}

/**
 * Returns a function that reuses the last newcomer while its session lasts, because hashing passwords would take most of the
 * time.
 */
function newcomerWhileSignedIn(program: BootedProgram): () => Promise<Client> {
  let last: Client | undefined;
  return async () => {
    if ((await last?.get('/auth/profile'))?.status !== 200) last = undefined;
    return (last ??= await program.newcomer());
  };
}

/** Returns the contract lock in the workspace where the tests run. */
function lockedOf(application: string): Exposure {
  if (!existsSync('contract.lock.json')) return {};
  const locked: Record<string, Exposure> = JSON.parse(readFileSync('contract.lock.json', 'utf8'));
  return locked[application] ?? {};
}

/** Returns the tables with exported rows: their name, the member that holds the rows, and their secrecy. */
function exportedTables(tables: readonly TableDefinition[]) {
  return tables.flatMap(({ name, secrecy, exported }) =>
    typeof exported === 'object' && 'part' in exported ? [{ name, secrecy, ...exported }] : [],
  );
}

/** Returns the tables with a foreign key to the accounts, directly or through a further table. */
async function tablesOfAccounts(db: Database): Promise<ReadonlySet<string>> {
  const keys = await foreignKeys(db);
  const reached = new Set(['account']);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const { table, target } of keys) if (reached.has(target)) reached.add(table);
  }
  return reached;
}

function shownColumns(secrecy: TableDefinition['secrecy']): string[] {
  return Object.keys(secrecy).filter((column) => isExported(secrecy[column]));
}

function snakeCased(table: string): string {
  return table.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
