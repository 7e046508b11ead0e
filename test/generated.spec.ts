import { command, makeGeneratedFiles, staleFiles } from '../scripts/generated.mts';

describe('the generated files', () => {
  it(`are what the code makes now (\`${command}\` writes them)`, async () => {
    const files = await makeGeneratedFiles();
    expect(files.length).toBeGreaterThan(5);
    expect(staleFiles(files).map(({ path }) => `${path} is stale: ${command}`)).toEqual([]);
  });
});
