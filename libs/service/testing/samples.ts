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
  /** The path of the resource, such as `/tickets`. */
  readonly path: string;
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
    for (const { path, body } of await this.read()) {
      const [row, sent] = [this.rowPath(path), await body(clients)];
      parameters[row] = await this.create(path, sent, clients);
      bodies[`POST ${path}`] = () => body(clients);
      bodies[`PATCH ${row}`] = () => sent;
    }
    return { bodies, parameters };
  }

  /** Returns a request for each route that writes. Each request has its own row. */
  async walkRequests(
    clientsOf: (caller: WalkedAccount) => Promise<SampleClients>,
  ): Promise<Record<string, MakeWalkRequest>> {
    const requests = (await this.read()).flatMap(({ path, body }): [string, MakeWalkRequest][] => {
      const newBody = async (caller: WalkedAccount) => body(await clientsOf(caller));
      const newRow = async (caller: WalkedAccount) =>
        this.create(path, await newBody(caller), await clientsOf(caller));
      const row = this.rowPath(path);
      return [
        [`POST ${path}`, async (caller) => ({ body: await newBody(caller) })],
        [`PATCH ${row}`, async (caller) => ({ path: await newRow(caller), body: await newBody(caller) })],
        [`DELETE ${row}`, async (caller) => ({ path: await newRow(caller) })],
      ];
    });
    const routes = new Set(this.routes.map(({ method, path }) => `${method} ${path}`));
    return Object.fromEntries(requests.filter(([route]) => routes.has(route)));
  }

  /** Creates rows for each resource, reads them on two pages, and changes and removes the second row. */
  async useEach(clients: SampleClients): Promise<void> {
    for (const { path, body } of await this.read()) {
      await this.create(path, await body(clients), clients);
      const [row = ''] = Object.values(await this.create(path, await body(clients), clients));
      const { headers } = await clients.caller.get(`${path}?limit=1`);
      const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
      await clients.caller.get(next);
      const place = `${path}/${row}`;
      await send(clients, 'GET', place);
      await send(clients, 'PATCH', place, await body(clients));
      await send(clients, 'DELETE', place);
    }
  }

  private async read(): Promise<readonly Sample[]> {
    const files = globSync('samples/*.ts', { cwd: this.folder }).toSorted();
    return Promise.all(files.map((file) => readSample(join(this.folder, file))));
  }

  private async create(path: string, body: object, clients: SampleClients): Promise<Record<string, string>> {
    const { headers } = await send(clients, 'POST', path, body);
    const [, name = ''] = this.rowPath(path).split(':');
    return { [name]: headers.get('location')?.split('/').at(-1) ?? '' };
  }

  /** Returns the path of a row, such as `/tickets/:id`. */
  private rowPath(path: string): string {
    const row = this.routes.find((route) => route.path.startsWith(`${path}/:`));
    if (row === undefined) throw new Error(`${path} has a sample, and no route with a parameter`);
    return row.path;
  }

  private get routes() {
    return describeRoutes(this.program().app());
  }
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
  const { path, ...makers }: { path: string } & Record<string, unknown> = await import(file);
  const [body] = Object.values(makers);
  if (typeof path !== 'string' || typeof body !== 'function')
    throw new Error(`${file} must export its path, such as '/tickets', and a function that makes a body`);
  return { path, body: async (clients) => body(clients) };
}
