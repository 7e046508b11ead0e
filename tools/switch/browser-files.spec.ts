import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { browserFiles } from './browser-files';

const files: Readonly<Record<string, string>> = {
  'package.json': '{"name":"all"}',
  'server/package.json': '{"name":"server","dependencies":{"@nestjs/core":"12","react-dom":"19"}}',
  'server/main.ts': `import { Shared } from '@all/shared';`,
  'web/package.json': '{"name":"web","devDependencies":{"react-dom":"19"}}',
  'web/src/main.tsx': `import { Form } from './form.js';\nimport type { Unused } from '../../server/main';`,
  'web/src/form.ts': `export { Shared } from '@all/shared/user';`,
  'shared/package.json': '{"name":"@all/shared"}',
  'shared/user.ts': `import './rules';`,
  'shared/rules.ts': `import { IsInt } from 'class-validator';`,
  'tool/client/index.html': '',
  'tool/client/app.ts': `import '../both';`,
  'tool/both.ts': '',
  'tool/job.ts': `import './both';`,
};

describe('the sources of browser bundles', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'browser-files-'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('are those of a package or a folder for browsers, and what they import', () => {
    const sources = Object.entries(files)
      .filter(([path]) => /\.tsx?$/.test(path))
      .map(([path, text]) => ({ path, text }));
    expect(Object.fromEntries(browserFiles(ts, folder, sources))).toEqual({
      'web/src/main.tsx': 'web',
      'web/src/form.ts': 'web',
      'shared/user.ts': 'web',
      'shared/rules.ts': 'web',
      'tool/client/app.ts': 'tool/client',
      'tool/both.ts': 'tool/client',
    });
  });
});
