import { command } from '../scripts/client-types.mts';
import { makeGeneratedFiles, staleFiles } from '../scripts/generated.mts';

describe('the generated files', () => {
  it(`are up to date (\`${command}\` writes them)`, { timeout: 120_000 }, async () => {
    const files = await makeGeneratedFiles();
    expect(files.length).toBeGreaterThan(5);
    expect(staleFiles(files).map(({ path }) => `${path} is stale: ${command}`)).toEqual([]);
  });
});
