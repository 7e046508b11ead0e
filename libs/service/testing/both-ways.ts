import { once } from 'node:events';
import { request as ask } from 'node:http';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createProgram } from '../src/nest/create-program';
import { readSettings } from '../src/settings/read-settings';
import { serviceSettings } from '../src/settings/service-settings';

/** A request as it is written. */
export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Everything of an answer, header by header in the order in which they came. */
export interface Heard {
  readonly status: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** One program, run twice: with compiled routes, and with every route left to Nest. */
export interface BothWays {
  /** Asks both the same, holds their answers to be equal, and gives one of them. */
  ask(asked: Asked): Promise<Heard>;
  readonly apps: readonly NestFastifyApplication[];
  close(): Promise<void>;
}

/**
 * @param module makes the program's module, for each of the two anew
 * @param env    what differs from an environment that is fit for tests
 */
export async function runBothWays(
  module: (env: Readonly<Record<string, string>>, at: number) => DynamicModule | Type,
  env: Readonly<Record<string, string>> = {},
): Promise<BothWays> {
  const settings = readSettings(serviceSettings, { LOG_LEVEL: 'silent', ...env });
  const apps: NestFastifyApplication[] = [];
  for (const [at, routes] of (['compiled', 'nest'] as const).entries()) {
    const app = await createProgram({ name: 'api', module: module(env, at), settings, routes });
    await app.listen(0, '127.0.0.1');
    apps.push(app);
  }
  return {
    apps,
    ask: async (asked) => {
      const [compiled, nest] = await Promise.all(apps.map((app) => hear(app, asked)));
      expect({ asked, ...compiled }).toEqual({ asked, ...nest });
      return compiled;
    },
    close: async () => void (await Promise.all(apps.map((app) => app.close()))),
  };
}

async function hear(
  app: NestFastifyApplication,
  { method = 'GET', path, headers, body }: Asked,
): Promise<Heard> {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const type =
    text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const asked = ask(`${await app.getUrl()}${path}`, {
    method,
    headers: { ...type, ...headers },
    agent: false,
  });
  asked.end(text);
  const [answer] = await once(asked, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return {
    status: `${answer.statusCode} ${answer.statusMessage}`,
    headers: pairs(answer.rawHeaders),
    body: withoutChance(Buffer.concat(chunks).toString()),
  };
}

/** The clock and the id of a request are never twice the same; that they are there is compared. */
function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at): [string, string][] => {
    if (at % 2 === 1) return [];
    const differs = ['date', 'x-request-id'].includes(name.toLowerCase());
    return [[name, differs ? '…' : withoutChance(raw[at + 1])]];
  });
}

function withoutChance(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>');
}
