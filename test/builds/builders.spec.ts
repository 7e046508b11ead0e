import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDatabase } from '@app/persistence/testing';
import { Client } from '@app/service/testing';
import { tellAdminStories } from '../../apps/admin/test/stories';
import { tellApiStories } from '../../apps/api/test/stories';
import { inject } from 'vitest';
import type { Build } from './builds.setup.mts';
import type { Findings } from './probe';
import { endProcesses, run } from './processes';
import { type Program, startProgram } from './programs';

const builds: readonly Build[] = inject('builds');

afterAll(endProcesses);

it('covers every builder that the workspace supports', () => {
  expect(builds.map(({ builder }) => builder)).toEqual(['webpack', 'tsc', 'swc']);
});

describe.each(builds)('the output of $builder', ({ workspace, unnamed, failure }) => {
  it('succeeds', () => {
    expect(failure).toBeUndefined();
  });

  it('builds the first application by default', () => {
    expect(unnamed).toEqual(['api']);
  });

  describe('api', () => {
    tellApiStories(runs(workspace, 'api'));
  });
  describe('admin', () => {
    tellAdminStories(runs(workspace, 'admin'));
  });

  describe('from our sources', () => {
    let findings: Findings;
    beforeAll(async () => {
      const { output } = await run(process.execPath, ['dist/apps/probe/main.js'], { cwd: workspace });
      findings = JSON.parse(output);
    });

    it('has no property for a field without an initial value', () => {
      expect(findings.ownNames).toEqual(['given']);
    });

    it('has the type metadata of decorators', () => {
      expect(findings.types).toEqual(['Fields', 'Date']);
    });

    it('finds x.ts where an import says ./x.js', () => {
      expect(findings.ending).toBe('.js');
    });

    it('has source positions in stack traces', () => {
      expect(findings.stack.split('\n')[1]).toContain('libs/probe/src/fail.ts:4:9');
      expect(findings.stack).toMatch(/apps\/probe\/src\/main\.ts:11:\d+/);
    });
  });

  it('contains no test code', () => {
    for (const path of [
      'apps/api/test',
      'apps/api/testing',
      'libs/service/testing',
      'apps/api/src/posts/posts.spec.js',
    ]) {
      expect(existsSync(join(workspace, 'dist/apps/api', path))).toBe(false);
    }
  });
});

/** Runs a built program, on an empty store, for as long as the surrounding tests last. */
function runs(workspace: string, app: string): () => Client {
  let program: Program;
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  beforeAll(async () => {
    database = await temporaryDatabase();
    program = await startProgram(workspace, app, { DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await program?.stop();
    await database?.remove();
  });
  return () => new Client(program.url);
}
