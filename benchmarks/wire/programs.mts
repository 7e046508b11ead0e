import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accounts } from '@app/accounts';
import { createProgram, definePlugin, defineProgram, readSettings } from '@app/service';
import { uploads } from '@app/uploads';
import type { Type } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import {
  ConditionalController,
  IdempotentController,
  ListController,
  PlainController,
  SortedListController,
  UploadController,
} from './controllers.mts';

/** The parts of a program besides the measured routes. */
interface Plan {
  readonly controllers?: readonly Type[];
  readonly env?: Readonly<Record<string, string>>;
  readonly list?: Type;
}

const features = {
  'Idempotency-Key': { controllers: [IdempotentController] },
  'ETag, If-Match': { controllers: [ConditionalController] },
  CORS: { env: { CORS_ORIGINS: 'https://app.example.com' } },
  uploads: { controllers: [UploadController] },
  'sorted lists': { list: SortedListController },
  metrics: { env: { METRICS_PORT: '9464' } },
} satisfies Record<string, Plan>;

/**
 * The plans by name. They are a plan without features, the same plan again, a plan for each feature, and a plan with all
 * features.
 */
export const plans: Readonly<Record<string, Plan>> = {
  none: {},
  'none again': {},
  ...features,
  all: {
    controllers: [IdempotentController, ConditionalController, UploadController],
    env: { ...features.CORS.env, ...features.metrics.env },
    list: SortedListController,
  },
};

/** A program that is initialised but does not listen. */
export interface Program {
  readonly server: FastifyInstance;
  close(): Promise<void>;
}

/** Creates a program on an empty SQLite database. */
export async function openProgram({
  controllers = [],
  env = {},
  list = ListController,
}: Plan): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-wire-'));
  const measured = definePlugin({ name: 'measured', controllers: [PlainController, list, ...controllers] });
  const { declarations, module } = defineProgram({
    name: 'wire',
    plugins: [accounts(), uploads(), measured],
  });
  const settings = readSettings(declarations, {
    DATABASE_URL: `sqlite:${join(folder, 'wire.db')}`,
    UPLOAD_DIR: join(folder, 'uploads'),
    JWT_SECRET: 'a secret of benchmarks, long enough to sign with',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'an administrator of benchmarks',
    LOG_LEVEL: 'silent',
    MAX_DELAY: 'off',
    ...env,
  });
  const app = await createProgram({ name: 'wire', settings, module: module(settings) });
  const close = async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  };
  return { server: app.getHttpAdapter().getInstance(), close };
}
