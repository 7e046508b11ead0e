import { IncomingMessage, type Server } from 'node:http';
import { Socket } from 'node:net';
import { once } from 'node:events';
import { apiKeyStrategy, AuthModule } from '@app/auth';
import { Random } from '@app/engine/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { WsAdapter } from '@nestjs/platform-ws';
import { WebSocketGateway } from '@nestjs/websockets';
import { createProgram } from '../src/program/create-program.bootstrap';
import { serviceSettings } from '../src/program/service-settings';
import { readSettings } from '../src/settings/read-settings';

/** The {@link fuzzUpgrades} result. */
export interface UpgradeTally {
  readonly targets: number;
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** The first target that reached a gateway by a different spelling, or had an unexpected status. */
  readonly difference?: string;
}

/** The gateways, and the callers that may open them. */
const gateways: Readonly<Record<string, readonly string[]>> = {
  '/staff': ['admin'],
  '/chat': ['user', 'admin'],
  '/lobby/a': ['', 'user', 'admin'],
};
const paths = Object.keys(gateways);
const callers: Record<string, object> = { user: { role: 'user' }, admin: { role: 'admin' } };

/**
 * Opens WebSockets with generated request targets in a program with three gateways. A second parser, a regular expression,
 * decides which gateway a target names. The program's router and adapter must agree with it.
 */
export async function fuzzUpgrades(
  targets: number,
  seed: number,
  onProgress: (tally: UpgradeTally) => void = () => undefined,
): Promise<UpgradeTally> {
  const reached = new WeakMap<object, string>();
  const app = await startProgram(reached);
  const server: Server = app.getHttpServer();
  const random = new Random(seed);
  const statuses: Record<number, number> = {};
  try {
    for (let count = 1; count <= targets; count++) {
      const target = targetOf(random);
      const caller = random.pick(['', 'user', 'admin']);
      const { request, status } = await open(server, target, caller);
      statuses[status] = (statuses[status] ?? 0) + 1;
      const [, named = ''] = /^(\/[\w./]+)(?:\?[^#]*)?$/.exec(target) ?? [];
      const mayOpen = gateways[named]?.includes(caller) === true && isEncoded(target);
      const isExpected = mayOpen ? status === 101 : [400, 401, 403, 404].includes(status);
      const gateway = reached.get(request);
      if (!isExpected || gateway !== (mayOpen ? named : undefined))
        return {
          targets: count,
          statuses,
          difference: `${JSON.stringify(target)} of '${caller}': ${status}, gateway ${gateway}`,
        };
      if (count % 100_000 === 0) onProgress({ targets: count, statuses });
    }
    return { targets, statuses };
  } finally {
    await app.close();
  }
}

/** Returns whether percent-encoding is valid. Every parser refuses a query with invalid encoding. */
function isEncoded(target: string): boolean {
  try {
    return !decodeURIComponent(target).includes('\0');
  } catch {
    return false;
  }
}

async function startProgram(reached: WeakMap<object, string>): Promise<NestFastifyApplication> {
  const providers = paths.map((path) => {
    @WebSocketGateway({ path })
    class Gateway {
      handleConnection(client: { terminate: () => void }, request: object): void {
        reached.set(request, path);
        client.terminate();
      }
    }
    return Gateway;
  });
  const strategies = [apiKeyStrategy({ name: 'key', check: (key) => callers[key] })];
  const imports = [AuthModule.forRootAsync({ useFactory: () => ({ strategies, roles: ['user', 'admin'] }) })];
  class FuzzedModule {}
  return createProgram({
    name: 'api',
    module: { module: FuzzedModule, imports, providers },
    settings: readSettings(serviceSettings, { MAX_DELAY: 'off' }),
    configure: (app) => void app.useWebSocketAdapter(new WsAdapter(app)),
    moduleRoutes: { '/staff': { roles: ['admin'] }, '/lobby/*': 'public' },
  });
}

/** A connection with a peer that only reads. */
class ReadConnection extends Socket {
  received = '';

  override _write(chunk: unknown, _encoding: unknown, done: () => void): void {
    this.received += String(chunk);
    done();
  }

  override _writev(chunks: readonly { chunk: unknown }[], done: () => void): void {
    for (const { chunk } of chunks) this.received += String(chunk);
    done();
  }
}

/** Emits a handshake on a server as Node does. */
async function open(server: Server, target: string, caller: string) {
  const socket = new ReadConnection();
  const headers = {
    host: 'a',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...(caller !== '' && { 'x-api-key': caller }),
  };
  const request = new IncomingMessage(socket);
  Object.assign(request, { method: 'GET', url: target, httpVersion: '1.1', headers });
  request.rawHeaders.push(...Object.entries(headers).flat());
  const closed = once(socket, 'close');
  server.emit('upgrade', request, socket, Buffer.alloc(0));
  await closed;
  return { request, status: Number(socket.received.slice(9, 12)) };
}

const parts = [
  ...[
    '.',
    '..',
    '/',
    '//',
    '\\',
    '?',
    '#',
    ';',
    '@',
    ':',
    '*',
    '%',
    ' ',
    '\t',
    '&',
    '=',
    '~',
    '+',
    'x',
    'é',
    'staff',
    'chat',
  ],
  ...[
    '%2e',
    '%2E%2e',
    '%2f',
    '%5c',
    '%5C',
    '%00',
    '%23',
    '%3f',
    '%252e',
    '%c0%ae',
    '%e9',
    '%73',
    '%63',
    '/.',
    '/..',
    '/./',
    '/../',
  ],
  ...[
    'http://a',
    'ws://a',
    'WS://b:1',
    '//a',
    '/\\a',
    'lobby/a',
    'lobby/../',
    '..;/',
    '?a=/../',
    '\u00a0',
    '\u00ad',
    '\ud800',
  ],
];

/** Returns a gateway path with up to four changes. */
function targetOf(random: Random): string {
  let target = random.pick(paths);
  for (let changes = random.below(5); changes > 0; changes--) {
    const at = random.below(target.length + 1);
    const kind = random.below(5);
    if (kind < 2) target = target.slice(0, at) + random.pick(parts) + target.slice(at);
    else if (kind === 2) target = random.pick(parts) + target;
    else if (kind === 3) target = target.slice(0, at) + target.slice(at + 1);
    else target = target.slice(0, at) + changed(target.charAt(at), random) + target.slice(at + 1);
  }
  return target;
}

function changed(character: string, random: Random): string {
  if (character === '') return '';
  if (random.chance(50)) return character.toUpperCase();
  return `%${(character.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`;
}
