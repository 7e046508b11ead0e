import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { writeSingleSbom } from './sbom.mts';

/** The files in a packed folder that its executable does not read. */
const beside = new Set(['sbom.json', 'SHA256SUMS']);

/**
 * Writes a single executable: this Node, with a packed folder as a read-only file system.
 *
 * @param folder the folder that receives the SBOM and the executable, which has the application's name
 * @returns the executable's path
 */
export function buildSingle(application: string, packed: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeSingleSbom(packed, folder);
  const output = join(folder, process.platform === 'win32' ? `${application}.exe` : application);
  const temporary = mkdtempSync(join(tmpdir(), 'sluice-single-'));
  try {
    const config = join(temporary, 'sea.json');
    const main = join(import.meta.dirname, 'single.js');
    const assets = Object.fromEntries(filesOf(packed).map((path) => [path, join(packed, path)]));
    const options = { main, output, assets, useVfs: true, disableExperimentalSEAWarning: true };
    writeFileSync(config, JSON.stringify(options));
    const { status, stderr } = spawnSync(process.execPath, ['--build-sea', config], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`node --build-sea failed: ${stderr}`);
  } finally {
    rmSync(temporary, { recursive: true });
  }
  return output;
}

function filesOf(packed: string): readonly string[] {
  return readdirSync(packed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(packed, join(entry.parentPath, entry.name)))
    .filter((path) => !beside.has(path));
}
