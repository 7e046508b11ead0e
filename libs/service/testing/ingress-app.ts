import type { ErrorForm } from '@app/contract';
import type { Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { fastifyOptions } from '../src/http/fastify-options';
import type { IngressLimits } from '../src/http/limits';
import { ErrorFilter } from '../src/errors/error.filter';
import { installIngress } from '../src/http/install-ingress.bootstrap';

/** A line that the ingress logged. */
export interface LogLine {
  readonly level: 'debug' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Controllers behind the ingress, without a program's other parts. */
export interface IngressApp {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly port: number;
  /** The lines that the ingress has logged. */
  readonly lines: LogLine[];
  close(): Promise<void>;
}

export interface IngressAppOptions {
  readonly form?: Partial<ErrorForm>;
  readonly limits?: Partial<IngressLimits>;
}

/** Serves controllers behind the ingress over HTTP. */
export async function openIngressApp(
  controllers: readonly Type[],
  options: IngressAppOptions = {},
): Promise<IngressApp> {
  const lines: LogLine[] = [];
  const writer = (level: LogLine['level']) => (fields: object, message: string) =>
    lines.push({ level, fields: { ...fields }, message });
  const log = { debug: writer('debug'), warn: writer('warn'), error: writer('error') };
  const form: ErrorForm = { ERROR_SHAPE: 'list', ERROR_MESSAGES: 'on', ...options.form };
  const module = await Test.createTestingModule({
    controllers: [...controllers],
    providers: [{ provide: APP_FILTER, useValue: new ErrorFilter(form, log) }],
  }).compile();
  const adapter = new FastifyAdapter(fastifyOptions(options.limits));
  const app = module.createNestApplication<NestFastifyApplication>(adapter, {
    logger: false,
    bodyParser: false,
  });
  installIngress(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return { app, url, port: Number(new URL(url).port), lines, close: () => app.close() };
}
