import { createProgram, readSettings } from '@app/service';
import { administrator } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { program } from '../src/api.program';

const { name, schemas, tables, declarations, module } = program;

/** Starts an `api` instance on a free port. The test closes it. */
export async function startApi(
  url: string,
  env: Readonly<Record<string, string>>,
): Promise<NestFastifyApplication> {
  const settings = readSettings(declarations, {
    DATABASE_URL: url,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: 'silent',
    // Tests must not be rejected as overload on a busy machine.
    MAX_DELAY: 'off',
    ...env,
  });
  const app = await createProgram({ name, schemas, tables, module: module(settings), settings });
  await app.listen(0, '127.0.0.1');
  return app;
}
