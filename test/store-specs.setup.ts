import { join, relative } from 'node:path';
import { openedStores } from '@app/persistence/testing';
import type { RunnerTask, RunnerTestFile } from 'vitest';
import { specsOnStore } from './store-specs.mts';

const root = join(__dirname, '..');
const isOnPostgres = process.env.TEST_DATABASE_URL !== undefined;
const before = openedStores.count;
let file: RunnerTestFile | undefined;

const isSkipped = (task: RunnerTask): boolean =>
  task.mode !== 'run' || ('tasks' in task && task.tasks.some(isSkipped));

beforeEach(({ task }) => {
  file = task.file;
});

// Of the libraries that have the store: what opens no database runs on none, and what opens one runs on each.
afterAll(() => {
  const path = relative(root, file?.filepath ?? root);
  if (file === undefined || !/^libs\/(accounts|mail|persistence)\//.test(path)) return;
  const hasOpened = openedStores.count > before;
  if (isOnPostgres && !hasOpened && !isSkipped(file))
    throw new Error(`${path} opens no database: it is not run on PostgreSQL (test/store-specs.mts)`);
  if (!isOnPostgres && hasOpened && !specsOnStore(root).includes(path))
    throw new Error(`${path} opens a database, and is not run on PostgreSQL (test/store-specs.mts)`);
});
