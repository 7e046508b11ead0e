import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { RegisterPlugins } from './plugins';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from '../program/service-settings';
import { createProgram } from '../program/create-program.bootstrap';

@Controller()
@Public()
class PluginController {
  @Get('quick')
  @Returns('text')
  quick(): string {
    return 'quick';
  }
}

@Module({ controllers: [PluginController] })
class WithPlugins {}

describe('the Fastify plugins of a program', () => {
  const apps: NestFastifyApplication[] = [];
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  async function start(plugins: RegisterPlugins): Promise<string> {
    const settings = readSettings(serviceSettings, { CORS_ORIGINS: '*' });
    const app = await createProgram({ name: 'api', module: WithPlugins, settings, plugins });
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    return app.getUrl();
  }

  it('may add hooks to all routes, and routes of their own that are marked public', async () => {
    const url = await start((server) => {
      server.addHook('onSend', async (_request, reply) => void reply.header('x-plugin', 'yes'));
      void server.register(async (inner: FastifyInstance) => {
        inner.get('/metrics', { config: { isPublic: true } }, () => 'requests 1\n');
      });
    });
    for (const path of ['/quick', '/metrics', '/health/live']) {
      const reply = await fetch(url + path);
      expect([reply.status, reply.headers.get('x-plugin')]).toEqual([200, 'yes']);
    }
  });

  it('abort the start with a route that is not marked public, as no guard protects it', async () => {
    const registered = start(
      (server) =>
        void server.register(async (inner: FastifyInstance) => {
          inner.get('/metrics', () => 'requests 1\n');
        }),
    );
    await expect(registered).rejects.toThrow(/registers GET \/metrics, which no guard protects/);
  });

  it('abort the start with their own error', async () => {
    const failing = start(async () => Promise.reject(new Error('no such folder')));
    await expect(failing).rejects.toThrow('no such folder');
  });
});
