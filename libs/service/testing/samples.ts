import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import type { BootedProgram } from './boot-program';
import type { Client, Reply } from './client';
import type { SweepPlan } from './leak-sweep';
import type { MakeWalkRequest, WalkedAccount } from './removal-walk';

/** The clients that create the rows of a sample. */
export interface SampleClients {
  /** The client for the owner of owned rows. */
  readonly caller: Client;
  readonly admin: Client;
}

interface Sample {
  /** The resource's path, such as `/tickets`. */
  readonly path: string;
  /** Returns the values of the path's parameters, such as the organization; it exists afterwards. */
  readonly parameters: (clients: SampleClients) => Promise<Readonly<Record<string, string>>>;
  /** Makes a valid `POST` body, which differs each time, and creates the rows to which it refers. */
  readonly body: (clients: SampleClients) => Promise<object>;
}

/**
 * The resources of an application that have a file in `testing/samples`. Suites that call every route read their bodies from
 * there.
 */
export class Samples {
  /**
   * Creates the samples.
   *
   * @param folder the `testing` folder of the application
   */
  constructor(
    private readonly program: () => BootedProgram,
    private readonly folder: string,
  ) {}

  /** Returns the body for each route, and the row parameters for each resource. */
  async sweepPlan(clients: SampleClients): Promise<Pick<SweepPlan, 'bodies' | 'parameters'>> {
    const bodies: Record<string, () => unknown> = {};
    const parameters: Record<string, Record<string, string>> = {};
    for (const sample of await this.read()) {
      const { path, body } = sample;
      const [row, sent] = [this.rowPath(path), await body(clients)];
      parameters[path] = await sample.parameters(clients);
      parameters[row] = await this.create(sample, sent, clients);
      bodies[`POST ${path}`] = () => body(clients);
      bodies[`PATCH ${row}`] = () => sent;
    }
    return { bodies, parameters };
  }

  /** Returns a request for each route that writes. Each request has its own row. */
  async walkRequests(
    clientsOf: (caller: WalkedAccount) => Promise<SampleClients>,
  ): Promise<Record<string, MakeWalkRequest>> {
    const requests = (await this.read()).flatMap((sample): [string, MakeWalkRequest][] => {
      const { path, body } = sample;
      const row = this.rowPath(path);
      const onRow: MakeWalkRequest = async (caller) => {
        const clients = await clientsOf(caller);
        return { path: await this.create(sample, await body(clients), clients), body: await body(clients) };
      };
      const onList: MakeWalkRequest = async (caller) => {
        const clients = await clientsOf(caller);
        return { path: await sample.parameters(clients), body: await body(clients) };
      };
      return [
        [`POST ${path}`, onList],
        [`PATCH ${row}`, onRow],
        [`DELETE ${row}`, async (...walked) => ({ path: (await onRow(...walked)).path })],
      ];
    });
    const routes = new Set(this.routes.map(({ method, path }) => `${method} ${path}`));
    return Object.fromEntries(requests.filter(([route]) => routes.has(route)));
  }

  /** Creates rows for each resource, reads them on two pages, and changes and removes the second row. */
  async useEach(clients: SampleClients): Promise<void> {
    for (const sample of await this.read()) {
      const { body } = sample;
      await this.create(sample, await body(clients), clients);
      const row = await this.create(sample, await body(clients), clients);
      const { headers } = await clients.caller.get(`${filled(sample.path, row)}?limit=1`);
      const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
      await clients.caller.get(next);
      const place = filled(this.rowPath(sample.path), row);
      await send(clients, 'GET', place);
      await send(clients, 'PATCH', place, await body(clients));
      await send(clients, 'DELETE', place);
    }
  }

  private async read(): Promise<readonly Sample[]> {
    const files = globSync('samples/*.ts', { cwd: this.folder }).toSorted();
    return Promise.all(files.map((file) => readSample(join(this.folder, file))));
  }

  /** Creates a row, and returns the parameters of its path. */
  private async create(
    { path, parameters }: Sample,
    body: object,
    clients: SampleClients,
  ): Promise<Record<string, string>> {
    const outer = await parameters(clients);
    const { headers } = await send(clients, 'POST', filled(path, outer), body);
    const name = this.rowPath(path).split(':').at(-1) ?? '';
    return { ...outer, [name]: headers.get('location')?.split('/').at(-1) ?? '' };
  }

  /** Returns a row's path, such as `/tickets/:id`. */
  private rowPath(path: string): string {
    const row = this.routes.find((route) => route.path.startsWith(`${path}/:`));
    if (row === undefined) throw new Error(`${path} has a sample, and no route with a parameter`);
    return row.path;
  }

  private get routes() {
    return describeRoutes(this.program().app());
  }
}

/** Returns a path with the values of its parameters. */
function filled(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => parameters[name] ?? '');
}

/** Sends a request, as the administrator if the caller may not send it. */
async function send(
  { caller, admin }: SampleClients,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const reply = await caller.send(method, path, body);
  return reply.status === 403 ? admin.send(method, path, body) : reply;
}

async function readSample(file: string): Promise<Sample> {
  const { path, parameters, ...makers }: { path: string } & Record<string, unknown> = await import(file);
  const [body] = Object.values(makers);
  if (typeof path !== 'string' || typeof body !== 'function')
    throw new Error(`${file} must export its path, such as '/tickets', and a function that makes a body`);
  return {
    path,
    parameters: async (clients) => (typeof parameters === 'function' ? parameters(clients) : {}),
    body: async (clients) => body(clients),
  };
}
