import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { build } from 'vite';

const fromRoot = (path: string) => join(__dirname, '../../..', path);

/** A line of a program's log. */
type Line = Readonly<Record<string, unknown>>;

/** A program in its own process. */
export interface SpawnedProgram {
  readonly child: ChildProcess;
  /** The lines that it has logged so far. */
  readonly logLines: readonly Line[];
  /** The complete standard error, once the program has exited. */
  readonly stderr: Promise<string>;
  /** The exit code, once the program has exited. */
  readonly exitCode: Promise<number | null>;
  /** Waits for a log line with this message. */
  readonly waitForLog: (message: string) => Promise<Line>;
}

/**
 * Bundles a program into a single file, so that it can run in its own process.
 *
 * @param entry a file in `testing/programs`
 * @returns its path, inside the workspace so that it finds its packages and its manifest
 */
export async function bundleProgram(entry: string): Promise<{ path: string; remove(): Promise<void> }> {
  const outDir = fromRoot(`node_modules/.sluice-programs/${process.pid}-${entry}`);
  await build({
    configFile: false,
    logLevel: 'silent',
    root: fromRoot('.'),
    resolve: { alias: [{ find: /^@app\/([^/]+)$/, replacement: fromRoot('libs/$1/src/index.ts') }] },
    oxc: {
      assumptions: { setPublicClassFields: true },
      decorator: { legacy: true, emitDecoratorMetadata: true },
    },
    ssr: { noExternal: [/^@app\//] },
    build: {
      ssr: fromRoot(`libs/service/testing/programs/${entry}.ts`),
      outDir,
      emptyOutDir: true,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'main.cjs' } },
    },
  });
  return { path: `${outDir}/main.cjs`, remove: () => rm(outDir, { recursive: true, force: true }) };
}

/** Runs a bundled program, by default on a free port. */
export function spawnProgram(path: string, env: Record<string, string> = {}): SpawnedProgram {
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines = createInterface({ input: piped(child.stdout) });
  const logLines: Line[] = [];
  lines.on('line', (line) => logLines.push(JSON.parse(line)));
  return {
    child,
    logLines,
    stderr: text(piped(child.stderr)).catch(() => ''),
    exitCode: once(child, 'exit').then(([code]: (number | null)[]) => code),
    waitForLog: async (message) => {
      for (;;) {
        const line = logLines.find(({ msg }) => msg === message);
        if (line !== undefined) return line;
        await once(lines, 'line');
      }
    },
  };
}

function piped(stream: Readable | null): Readable {
  if (stream === null) throw new TypeError('the child was spawned without a pipe');
  return stream;
}
