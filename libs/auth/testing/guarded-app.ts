import type { ErrorReply } from '@app/http-errors';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, type Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { FastifyReply } from 'fastify';
import { AuthModule } from '../src/auth.module';
import type { AuthOptions } from '../src/auth-options';

/** A minimal exception filter that sends the `reply` of an error. */
@Catch()
class ReplyFilter implements ExceptionFilter {
  catch(error: Error & { readonly reply?: ErrorReply }, host: ArgumentsHost): void {
    const reply = host.getArgByIndex<FastifyReply>(1);
    const { status, message, headers = {} } = error.reply ?? replyOf(error);
    void reply.code(status).headers(headers).send({ statusCode: status, message });
  }
}

function replyOf(error: Error): ErrorReply {
  const status = error instanceof HttpException ? error.getStatus() : 500;
  return { status, message: error.message };
}

/**
 * Initializes an application with these controllers and the guard, without listening.
 *
 * @throws if the start fails
 */
export async function startGuarded(
  options: AuthOptions,
  ...controllers: Type[]
): Promise<NestFastifyApplication> {
  const module = await Test.createTestingModule({
    imports: [AuthModule.forRootAsync({ useFactory: () => options })],
    controllers,
    providers: [{ provide: APP_FILTER, useClass: ReplyFilter }],
  }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
  await app.init();
  return app;
}
