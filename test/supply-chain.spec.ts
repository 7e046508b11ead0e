import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import lock from '../package-lock.json';
import manifest from '../package.json';
import binaries from '../node-binaries.json';

/** The parts of an entry of the lock file that are checked. */
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const root = join(__dirname, '..');
const locked = new Map<string, LockedPackage>(Object.entries(lock.packages).filter(([path]) => path !== ''));
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('the lock file', () => {
  it('has an integrity for every package of every platform', () => {
    const missing = [...locked].filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
    expect(missing.map(([path]) => path)).toEqual([]);
    expect(locked.size).toBeGreaterThan(500);
  });
});

describe('install scripts', () => {
  it('are switched off for every package', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
  });

  it('are denied by name, for every platform, and for no package that has none', () => {
    const scripted = [...locked].filter(([, entry]) => entry.hasInstallScript).map(([path]) => nameOf(path));
    expect(manifest.allowScripts).toEqual(Object.fromEntries(scripted.map((name) => [name, false])));
  });
});

const recorded = Object.entries(binaries);

describe('the pinned Node', () => {
  it('has a recorded binary for every platform', () => {
    expect(Object.fromEntries(recorded.map(([name, { version }]) => [name, version]))).toEqual(
      manifest.optionalDependencies,
    );
  });

  it.each(recorded)('%s is the package whose binary was recorded', (name, { version, integrity, sha256 }) => {
    expect(locked.get(`node_modules/${name}`)).toMatchObject({ version, integrity });
    expect(sha256).toMatch(/^[\da-f]{64}$/);
  });

  it('is, where it is installed, the recorded binary', async () => {
    const installed = recorded.filter(([name]) => existsSync(join(root, 'node_modules', name)));
    expect(installed).not.toEqual([]);
    for (const [name, { file, sha256 }] of installed) {
      const hash = createHash('sha256');
      await pipeline(createReadStream(join(root, 'node_modules', name, file)), hash);
      expect(hash.digest('hex')).toBe(sha256);
    }
  });
});
