import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../../drill/programs/program.mts';

/**
 * Starts a packed program on an empty store, and writes the code that V8 compiled meanwhile into its folder: `program.cache`.
 *
 * @throws Error with the program output, if it does not start or end, or if V8 rejects the cache
 */
export async function writeCodeCache(packed: string): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), 'sluice-code-cache-'));
  try {
    const program = await startProgram({
      file: join(import.meta.dirname, 'code-cache.js'),
      cwd,
      logFile: join(cwd, 'log'),
      env: { PACKED: packed, PORT: '0', DRAIN_DELAY: '0s' },
    });
    const code = await program.stop();
    if (code !== 0) throw new Error(`the packed program exits with ${code}:\n${program.log()}`);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
