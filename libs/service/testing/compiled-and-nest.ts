import { once } from 'node:events';
import { request as ask } from 'node:http';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createProgram } from '../src/program/create-program.bootstrap';
import { readSettings } from '../src/settings/read-settings';
import { serviceSettings } from '../src/program/service-settings';

/** A request to send. */
export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A response with its headers in the order in which they were received. */
export interface RawResponse {
  readonly status: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** A program that runs twice: with compiled routes, and with all routes left to Nest. */
export interface CompiledAndNest {
  /** Sends a request to both programs, expects equal responses, and returns the response. */
  send(asked: SentRequest): Promise<RawResponse>;
  readonly apps: readonly NestFastifyApplication[];
  close(): Promise<void>;
}

/**
 * Runs a program twice, with compiled routes and with Nest's routes.
 *
 * @param module makes the program's module, once for each run
 * @param env overrides of the test environment
 */
export async function runCompiledAndNest(
  module: (env: Readonly<Record<string, string>>, at: number) => DynamicModule | Type,
  env: Readonly<Record<string, string>> = {},
): Promise<CompiledAndNest> {
  const settings = readSettings(serviceSettings, { LOG_LEVEL: 'silent', MAX_DELAY: 'off', ...env });
  const apps: NestFastifyApplication[] = [];
  for (const [at, routes] of (['compiled', 'nest'] as const).entries()) {
    const app = await createProgram({ name: 'api', module: module(env, at), settings, routes });
    await app.listen(0, '127.0.0.1');
    apps.push(app);
  }
  return {
    apps,
    send: async (asked) => {
      const [compiled, nest] = await Promise.all(apps.map((app) => sendTo(app, asked)));
      expect({ asked, ...compiled }).toEqual({ asked, ...nest });
      return compiled;
    },
    close: async () => void (await Promise.all(apps.map((app) => app.close()))),
  };
}

async function sendTo(
  app: NestFastifyApplication,
  { method = 'GET', path, headers, body }: SentRequest,
): Promise<RawResponse> {
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
    body: withoutVolatile(Buffer.concat(chunks).toString()),
  };
}

/** Returns the header fields. Dates and request ids always differ, so that only their presence is compared. */
function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at): [string, string][] => {
    if (at % 2 === 1) return [];
    const differs = ['date', 'x-request-id'].includes(name.toLowerCase());
    return [[name, differs ? '…' : withoutVolatile(raw[at + 1])]];
  });
}

function withoutVolatile(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>');
}
