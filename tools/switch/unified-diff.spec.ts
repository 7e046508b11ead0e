import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { switchFile } from './switch-file';
import { applyEdits, type Edit } from './text-edits';
import { unifiedDiff } from './unified-diff';

describe('the diff of a change', () => {
  let folder = '';
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'unified-diff-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What git makes of a text with the diff. */
  function applied(text: string, edits: readonly Edit[]): string {
    writeFileSync(join(folder, 'a.ts'), text);
    execFileSync('git', ['apply', '-'], { cwd: folder, input: unifiedDiff('a.ts', text, edits) });
    return readFileSync(join(folder, 'a.ts'), 'utf8');
  }

  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });

  it.each([
    ['at the beginning', lines.join('\n'), [insert(0, 'first\n')]],
    ['at an end without a line break', lines.join('\n'), [insert(lines.join('\n').length, '\nlast')]],
    [
      'far apart',
      `${lines.join('\n')}\n`,
      [insert(3, 'x'), insert(150, 'y\nz'), { start: 260, end: 290, text: '' }],
    ],
    ['with Windows line ends', lines.join('\r\n'), [insert(20, 'x\r\ny'), insert(25, 'z')]],
    ['that replaces everything', 'a', [{ start: 0, end: 1, text: 'b\n' }]],
  ])('is what git applies: a change %s', (_where, text, edits) => {
    expect(applied(text, edits)).toBe(applyEdits(text, edits));
  });

  it('shows the changed imports only', () => {
    const text = "import { Get, ValidationPipe } from '@nestjs/common';\nimport { other } from './other';\n";
    const { edits } = switchFile(text, 'a.ts');
    expect(unifiedDiff('src/a.ts', text, edits)).toBe(`--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,3 @@
-import { Get, ValidationPipe } from '@nestjs/common';
+import { Get } from '@nestjs/common';
+import { ValidationPipe } from '@sluice/engine/nest';
 import { other } from './other';
`);
  });
});
