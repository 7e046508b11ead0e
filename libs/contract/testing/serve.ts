import type { Type } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';

/** An HTTP response, with its body unparsed. */
export interface Response {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The controllers on a server without a port. */
export interface Served {
  ask(method: 'GET' | 'POST' | 'HEAD', url: string): Promise<Response>;
  close(): Promise<void>;
}

/** Serves controllers; `prepare` is called before the routes are registered. */
export async function serve(
  controllers: readonly Type[],
  prepare: (app: NestFastifyApplication) => void,
): Promise<Served> {
  const module = await Test.createTestingModule({ controllers: [...controllers] }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
  prepare(app);
  await app.init();
  return {
    ask: (method, url) => ask(app, method, url),
    close: () => app.close(),
  };
}

async function ask(
  app: NestFastifyApplication,
  method: 'GET' | 'POST' | 'HEAD',
  url: string,
): Promise<Response> {
  const { statusCode, headers, payload } = await app.inject({ method, url });
  return { status: statusCode, type: headers['content-type'], text: payload, headers };
}
