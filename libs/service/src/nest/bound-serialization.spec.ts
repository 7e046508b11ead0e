import { Answers } from '@app/serialization';
import { Controller, Get, SerializeOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from '../settings/service-settings';
import { createProgram } from './create-program';
import { ServiceModule } from './service.module';

@Controller('grouped')
@SerializeOptions({ groups: ['admin'] })
class GroupedController {
  @Get() @Answers('anything') read(): object {
    return {};
  }
}

@Controller('silent')
class SilentController {
  @Get() read(): object {
    return { password: 'SECRET' };
  }
}

describe('answers of a program', () => {
  it('are declared, or it does not start', async () => {
    class Silent {}
    const module = { module: Silent, controllers: [SilentController] };
    const settings = readSettings(serviceSettings, {});
    await expect(createProgram({ name: 'api', module, settings })).rejects.toThrow(
      /SilentController\.read\n +it does not say what it answers\n +→ Say @Answers/,
    );
  });

  it('are not declared in vain: a program put together without the binding does not start', async () => {
    class Unbound {}
    const identity = { name: 'sluice', version: '0.0.0', application: 'unbound' };
    const imports = [ServiceModule.forRoot(identity)];
    const module = { module: Unbound, imports, controllers: [GroupedController] };
    const app = await NestFactory.create(module, new FastifyAdapter(), { logger: false });
    await expect(app.init()).rejects.toThrow(/GroupedController.*Call bindSerialization\(app\)/);
    await app.close();
  });
});
