import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Options, transform } from '@swc/core';
import { run, start } from '../builds/processes';
import { type Answered, askAll } from './requests';
import { type Pipe, type Sources, stockSources } from './stock-sources';

const root = join(__dirname, '../..');

/** The module format of a compiled program. */
export type ModuleFormat = 'cjs' | 'esm';

/** Installs only a tarball and links its dependencies from the workspace. */
export async function installLinked(
  folder: string,
  tarball: string,
  linked: readonly string[],
): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const options = ['--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-audit'];
  const { code, output } = await run('npm', ['install', tarball, ...options], { cwd: folder });
  if (code !== 0) throw new Error(output);
  for (const name of linked) {
    const path = join(folder, 'node_modules', name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(root, 'node_modules', name), path, 'dir');
  }
}

/**
 * Writes the stock program as JavaScript.
 *
 * @param pipe the source of the pipe and the interceptor
 */
export async function writeProgram(folder: string, format: ModuleFormat, pipe: Pipe): Promise<void> {
  await writeSources(folder, format, await stockSources(pipe));
}

/** Writes a program as JavaScript. */
export async function writeSources(folder: string, format: ModuleFormat, sources: Sources): Promise<void> {
  await mkdir(folder, { recursive: true });
  const type = format === 'esm' ? 'module' : 'commonjs';
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type }));
  for (const [file, text] of Object.entries(sources)) {
    const source = text.replaceAll(/from '(\.\/[^']+)'/g, "from '$1.js'");
    const { code } = await transform(source, compilerOptions(file, format));
    await writeFile(join(folder, file.replace('.ts', '.js')), code);
  }
}

function compilerOptions(filename: string, format: ModuleFormat): Options {
  return {
    filename,
    swcrc: false,
    module: { type: format === 'esm' ? 'es6' : 'commonjs' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
  };
}

/** Options for starting a program. */
export interface Launch {
  readonly adapter: 'fastify' | 'express';
  /** The Node executable. It defaults to the Node of the tests. */
  readonly node?: string;
  /** Options for Node. */
  readonly options?: readonly string[];
}

/** Nest's stock program, with the engine in its pipes and interceptors. */
export const registered: Pick<Launch, 'options'> = { options: ['--import', '@sluice/engine/register'] };

/** The responses and the output of a program. */
export interface Outcome {
  readonly answers: readonly Answered[];
  readonly lines: readonly string[];
}

/** Starts a program, sends it all requests, and ends it. */
export async function askProgram(folder: string, launch: Launch): Promise<Outcome> {
  const { adapter, node = process.execPath, options = [] } = launch;
  const program = start(node, [...options, 'main.js'], { cwd: folder, env: { ADAPTER: adapter } });
  const url = await program.hear((line) => /^listening on (.+)$/.exec(line)?.[1]);
  try {
    return { answers: await askAll(url), lines: program.lines.slice(1) };
  } finally {
    program.signal('SIGKILL');
    await program.ended;
  }
}
