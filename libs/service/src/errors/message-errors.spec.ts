import { apiKeyStrategy, AuthModule, Caller, Public, Roles } from '@app/auth';
import { BadRequestException, Body, Controller, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/internal';
import { ExternalContextCreator } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsString } from 'class-validator';
import { firstValueFrom, type Observable } from 'rxjs';
import { gatherLog } from '../../testing/gather-log';
import { createProgram } from '../program/create-program.bootstrap';
import { serviceSettings } from '../program/service-settings';
import { readSettings } from '../settings/read-settings';

class Order {
  @IsString() item!: string;
}

/** As `RpcException` of `@nestjs/microservices`. */
class SentError extends Error {
  constructor(private readonly sent: string | object) {
    super('sent');
  }
  getError(): string | object {
    return this.sent;
  }
}

/** A microservice's handlers; the decorator of the payload stands for `@Payload()`. */
@Injectable()
@Controller()
class OrderMessages {
  @Public()
  ordered(@Body() order: Order): string {
    if (order.item === 'type') throw new TypeError('secret detail');
    if (order.item === 'refused') throw new BadRequestException('no such item');
    if (order.item === 'text') throw new SentError('sent text');
    if (order.item === 'object') throw new SentError({ code: 7 });
    return order.item;
  }

  @Roles('admin')
  closed(@Caller() caller: object): object {
    return caller;
  }
}

const guarded = AuthModule.forRootAsync({
  useFactory: () => ({
    strategies: [apiKeyStrategy({ name: 'key', check: () => undefined })],
    roles: ['admin'],
  }),
});

describe('a message of a microservice', () => {
  const { logs, lines } = gatherLog();
  let app: NestFastifyApplication;
  beforeAll(async () => {
    class Root {}
    const module = { module: Root, imports: [guarded], providers: [OrderMessages] };
    app = await createProgram({ name: 'api', module, settings: readSettings(serviceSettings, {}), logs });
  });
  afterAll(() => app.close());

  /** Calls a handler as Nest does for a message: with its guard, pipes and filters. */
  async function send(name: 'ordered' | 'closed', data: unknown): Promise<unknown> {
    const creator = app.get(ExternalContextCreator);
    const messages = app.get(OrderMessages);
    const payload = { exchangeKeyForValue: (_type: number, _data: unknown, args: unknown[]) => args[0] };
    const call = creator.create(
      messages,
      Object(messages)[name],
      name,
      ROUTE_ARGS_METADATA,
      payload,
      undefined,
      undefined,
      undefined,
      'rpc',
    );
    const result: unknown = await call(data, {});
    return isObservable(result) ? firstValueFrom(result).catch((error: unknown) => ({ error })) : result;
  }

  function isObservable(value: unknown): value is Observable<unknown> {
    return typeof value === 'object' && value !== null && 'subscribe' in value;
  }

  it('is answered', async () => {
    expect(await send('ordered', { item: 'tea' })).toBe('tea');
  });

  it('is answered with the error of an exception, a pipe or a guard', async () => {
    expect(await send('ordered', { item: 'refused' })).toEqual({
      error: { status: 'error', statusCode: 400, message: 'no such item', code: 'bad-request' },
    });
    expect(await send('ordered', { item: 7 })).toMatchObject({
      error: { statusCode: 400, message: expect.stringContaining('item must be a string') },
    });
    expect(await send('ordered', { item: 'text' })).toEqual({
      error: { status: 'error', message: 'sent text' },
    });
    expect(await send('ordered', { item: 'object' })).toEqual({ error: { code: 7 } });
  });

  it('is answered without the detail of an unexpected error, which is logged', async () => {
    const answer = await send('ordered', { item: 'type' });
    expect(answer).toMatchObject({ error: { status: 'error', statusCode: 500 } });
    expect(JSON.stringify(answer)).not.toContain('secret detail');
    expect(lines()).toContainEqual(
      expect.objectContaining({
        msg: 'message failed',
        err: expect.objectContaining({ message: 'secret detail' }),
      }),
    );
  });

  it('has no caller, whatever it contains', async () => {
    const forged = { user: { userId: 1, role: 'admin', roles: ['admin'] } };
    expect(await send('closed', forged)).toMatchObject({ error: { statusCode: 401 } });
    expect(await send('closed', null)).toMatchObject({ error: { statusCode: 401 } });
  });
});
