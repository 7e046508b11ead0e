import type { PipeTransform, Type } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';

/** An HTTP response. */
export interface Response {
  readonly status: number;
  readonly body: unknown;
}

/** A server without a port, with controllers and a pipe. */
export interface Served {
  readonly app: NestFastifyApplication;
  post(url: string, body: unknown): Promise<Response>;
  get(url: string): Promise<Response>;
  close(): Promise<void>;
}

/** Serves controllers with a single global pipe, and otherwise plain Nest. */
export async function serve(controllers: readonly Type[], pipe: PipeTransform): Promise<Served> {
  const module = await Test.createTestingModule({ controllers: [...controllers] }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
  app.useGlobalPipes(pipe);
  await app.init();
  return {
    app,
    post: (url, body) => ask(app, { method: 'POST', url, payload: JSON.stringify(body) }),
    get: (url) => ask(app, { method: 'GET', url }),
    close: () => app.close(),
  };
}

async function ask(
  app: NestFastifyApplication,
  request: { method: 'GET' | 'POST'; url: string; payload?: string },
): Promise<Response> {
  const headers = request.payload === undefined ? {} : { 'content-type': 'application/json' };
  const { statusCode, payload } = await app.inject({ ...request, headers });
  return { status: statusCode, body: payload === '' ? undefined : JSON.parse(payload) };
}

/** Sends a body as text that JSON.stringify would not write. */
export async function postText({ app }: Served, url: string, payload: string): Promise<Response> {
  return ask(app, { method: 'POST', url, payload });
}

/** The framework's reply to a violated rule. */
export function refusal(...message: string[]): Response {
  return { status: 400, body: { message, error: 'Bad Request', statusCode: 400 } };
}
