import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../builds/processes';
import { copyWorkspace } from '../builds/workspace-copy';

const codemod = `import type { Codemod } from '../codemods.mts';

export const programService: Codemod = {
  release: '0.2.0',
  changes: 'AboutService is ProgramService',
  files: /^(?:apps|libs)\\/.*\\.ts$/,
  apply: (text) => text.replaceAll(/\\bAboutService\\b/g, 'ProgramService'),
};
`;

const packing = `import { packCli } from './cli/pack.mts';
import { packService } from './service/pack.mts';
import { runScript } from '../../scripts/workspace.mts';

await runScript(async () => {
  const folder = process.argv[2] ?? '';
  await packService(folder + '/service');
  await packCli(folder + '/cli');
});
`;

/**
 * The changes in 0.2.0. They cover a workspace file that a team edits, a workspace file that stays untouched, a version, a name
 * and a table.
 */
const edits: Readonly<Record<string, readonly [string, string]>> = {
  'package.json': ['"version": "0.1.0"', '"version": "0.2.0"'],
  'tools/pack/create/template/Dockerfile': ['EXPOSE 3000', 'EXPOSE 3000 3001'],
  'tools/pack/create/template/_npmrc': ['loglevel=error', 'loglevel=warn'],
  'tools/pack/create/template/_dockerignore': ['.git\n', '.git\ncoverage\n'],
  'tools/pack/create/template/tsconfig.json': [
    '"target": "ES2023",',
    '"target": "ES2024",\n    "noUncheckedSideEffectImports": true,',
  ],
  'tools/upgrade/codemods.mts': ['readonly Codemod[] = []', 'readonly Codemod[] = [programService]'],
  'libs/service/src/index.ts': ['{ AboutService }', '{ AboutService as ProgramService }'],
  'apps/api/src/home/home.controller.ts': ['{ AboutService }', '{ ProgramService as AboutService }'],
  'libs/accounts/src/account/account.table.ts': ['  secrecy: {\n', "  secrecy: {\n    note: 'internal',\n"],
  'libs/accounts/src/sessions/session.table.ts': [
    '  migrations: {\n',
    `  migrations: {
    '0099-note': {
      apply: ({ schema }, { text }) => schema.alterTable('account').addColumn('note', text).execute(),
    },
`,
  ],
};

/**
 * Packs the release after this release from a workspace copy with the differences that an upgrade meets.
 *
 * @param folder the folder for the tarballs
 */
export async function packNextRelease(folder: string): Promise<void> {
  const copy = await copyWorkspace();
  try {
    for (const [path, [before, after]] of Object.entries(edits)) {
      const file = join(copy.path, path);
      const text = await readFile(file, 'utf8');
      if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
      await writeFile(file, text.replace(before, after));
    }
    const codemods = join(copy.path, 'tools/upgrade/codemods');
    await appendFile(`${codemods}.mts`, "import { programService } from './codemods/program-service.mts';\n");
    await mkdir(codemods);
    await writeFile(join(codemods, 'program-service.mts'), codemod);
    await writeFile(join(copy.path, 'tools/pack/next.mts'), packing);
    const packed = await run(process.execPath, ['tools/pack/next.mts', folder], { cwd: copy.path });
    if (packed.code !== 0) throw new Error(packed.output);
  } finally {
    await copy.remove();
  }
}
