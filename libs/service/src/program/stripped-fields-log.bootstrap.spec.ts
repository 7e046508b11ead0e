import { Public } from '@app/auth';
import { Returns } from '@app/serialization';
import { Controller, Get, Module } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { makeLog } from '../logs/open-logs';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from './service-settings';
import { createProgram } from './create-program.bootstrap';

@Exclude()
class User {
  @Expose() id!: number;
}

@Controller('users')
@Public()
class UsersController {
  @Get('me') @Returns(User) me() {
    return { id: 1, passwordHash: 'SECRET' };
  }
}

@Module({ controllers: [UsersController] })
class TestModule {}

/** What a program logs about three requests and at shutdown. */
async function logged(
  NODE_ENV: string,
  level: 'info' | 'debug',
): Promise<readonly Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = makeLog('api', level, { write: (line) => lines.push(JSON.parse(line)) });
  const logs = { log, flush: () => Promise.resolve() };
  const settings = readSettings(serviceSettings, { NODE_ENV });
  const app = await createProgram({ name: 'api', module: TestModule, settings, logs });
  for (const _ of [1, 2, 3]) expect((await app.inject({ url: '/users/me' })).body).toBe('{"id":1}');
  await app.close();
  expect(JSON.stringify(lines)).not.toContain('SECRET');
  return lines.filter(({ strippedFields }) => strippedFields !== undefined);
}

const names = { route: 'GET /users/me', strippedFields: ['passwordHash'], msg: 'fields stripped' };

describe('fields that a route strips', () => {
  it('are logged by name in development, once', async () => {
    expect(await logged('development', 'info')).toMatchObject([names]);
  });

  it('are counted in production, and logged at shutdown', async () => {
    const strippedFields = [{ route: 'GET /users/me', looked: 3, fields: { passwordHash: 3 } }];
    expect(await logged('production', 'info')).toMatchObject([{ strippedFields }]);
    expect(await logged('production', 'debug')).toMatchObject([
      { ...names, level: 'debug' },
      { strippedFields },
    ]);
  });
});
