import { Public } from '@app/auth';
import { Returns, Schema } from '@app/contract';
import { Controller, Get, Res, SerializeOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Exclude, Expose } from 'class-transformer';
import type { FastifyReply } from 'fastify';
import { makeLog } from '../logs/open-logs';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from './service-settings';
import { createProgram } from './create-program.bootstrap';
import { schemasOf } from '../schema';
import { ServiceModule } from './service.module';

@Controller('grouped')
@SerializeOptions({ groups: ['admin'] })
class GroupedController {
  @Get() @Returns('anything') read(): object {
    return {};
  }
}

@Controller('silent')
class SilentController {
  @Get() read(): object {
    return { password: 'SECRET' };
  }
}

@Exclude()
class Thing {
  @Expose() id!: number;
  @Expose() @Schema({ type: 'string' }) maker!: unknown;
}

/** For handlers that return what the types do not allow. */
const AnyThing: new () => object = Thing;

/** Handlers that return more than they declare, in every way that Nest supports. */
@Controller('overgenerous')
@Public()
class OvergenerousController {
  @Get('text') @Returns('text') text(): object {
    return { password: 'SECRET' };
  }
  @Get('row') @Returns(AnyThing) row(): object {
    return { id: 1, maker: { password: 'SECRET' } };
  }
  @Get('pieces') @Returns(AnyThing) async *pieces(): AsyncGenerator {
    yield { password: 'SECRET' };
  }
  @Get('sent') @Returns(Thing) send(@Res() reply: FastifyReply): FastifyReply {
    return reply.code(202).send({ id: 1, maker: { password: 'SECRET' } });
  }
}

describe('responses of a program', () => {
  it('match what was declared, or are a 500 whose cause is logged', async () => {
    class Overgenerous {}
    const lines: string[] = [];
    const log = makeLog('api', 'error', { write: (line) => lines.push(line) });
    const module = { module: Overgenerous, controllers: [OvergenerousController] };
    const settings = readSettings(serviceSettings, {});
    const logs = { log, flush: () => Promise.resolve() };
    const app = await createProgram({ name: 'api', module, settings, logs });
    for (const path of ['text', 'row', 'pieces', 'sent']) {
      const { statusCode, body } = await app.inject({ url: `/overgenerous/${path}` });
      expect([path, statusCode, body.includes('SECRET')]).toEqual([path, 500, false]);
    }
    await app.close();
    expect(lines.join('')).not.toContain('SECRET');
    for (const cause of ['/overgenerous/text returned an object', 'Thing.maker holds an object']) {
      expect(lines.join('')).toContain(cause);
    }
  });

  it('must be declared, or it does not start', async () => {
    class Silent {}
    const module = { module: Silent, controllers: [SilentController] };
    const settings = readSettings(serviceSettings, {});
    await expect(createProgram({ name: 'api', module, settings })).rejects.toThrow(
      /SilentController\.read\n +it does not declare its response\n +→ Declare @Returns/,
    );
  });

  it('must be serialized as declared: a program without the binding does not start', async () => {
    class Unbound {}
    const identity = { name: 'sluice', version: '0.0.0', application: 'unbound' };
    const imports = [ServiceModule.forRoot(identity, 'on', schemasOf({ name: 'unbound' }))];
    const module = { module: Unbound, imports, controllers: [GroupedController] };
    const app = await NestFactory.create(module, new FastifyAdapter(), { logger: false });
    await expect(app.init()).rejects.toThrow(/GroupedController.*Call bindSerialization\(app\)/);
    await app.close();
  });
});
