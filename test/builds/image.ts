import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The parts of an image configuration that tests read. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** A mounted image. */
export interface Image {
  readonly root: string;
  readonly config: ImageConfig;
  readonly remove: () => void;
}

/** The library folder for the processor that the tests run on. */
const libraries = '/lib/x86_64-linux-gnu';
/** The files of the packages in the base image, which are libc6, libgcc-s1 and libstdc++6. */
const baseFiles =
  /^(?:lib(?:c|dl|m|pthread|rt|resolv|util|nss_dns|nss_files)\.so\.\d|lib(?:gcc_s|stdc\+\+)\.so\.\d)$/;

/** Whether this machine can build and run an image. */
export function canBuildImages(): boolean {
  const tools = [['buildah'], ['strip'], ['unshare', '--mount'], ['setpriv']];
  return (
    process.getuid?.() === 0 &&
    process.arch === 'x64' &&
    tools.every(([tool = '', ...args]) => spawnSync(tool, [...args, '--version']).status === 0)
  );
}

/**
 * Builds the last stage of the Dockerfile. A packed folder replaces the first stage, and this system's libraries replace the
 * base image.
 *
 * @param workspace the workspace in which `npm run pack api` has run
 */
export function buildImage(workspace: string): Image {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-image-'));
  const storage = [
    '--root',
    join(folder, 'root'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ];
  const buildah = (...args: string[]) => execFileSync('buildah', [...storage, ...args], { encoding: 'utf8' });
  const build = (context: string, file: string, ...args: string[]) =>
    buildah('build', '--isolation', 'chroot', '--format', 'docker', '--quiet', ...args, '-f', file, context);
  layOutContext(workspace, join(folder, 'context'));
  build(join(folder, 'context/base'), write(folder, 'Base', 'FROM scratch\nCOPY . /\n'), '-t', 'base');
  const dockerfile = readFileSync(join(workspace, 'deploy/container/Dockerfile'), 'utf8');
  const args = ['--build-arg', 'BASE=localhost/base', '-t', 'image'];
  build(join(folder, 'context'), write(folder, 'Dockerfile', withoutPacking(dockerfile)), ...args);
  const container = buildah('from', 'localhost/image').trim();
  const inspected = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/image'));
  return {
    root: buildah('mount', container).trim(),
    config: inspected.Docker.config,
    remove: () => {
      buildah('rm', container);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function write(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function layOutContext(workspace: string, context: string): void {
  mkdirSync(join(context, 'packed/state'), { recursive: true });
  const args = ['deploy/container/assemble.sh', 'dist/packed/api', join(context, 'packed/image')];
  execFileSync('sh', args, { cwd: workspace });
  const names = readdirSync(libraries).filter((name) => baseFiles.test(name));
  for (const path of ['/lib64/ld-linux-x86-64.so.2', ...names.map((name) => join(libraries, name))]) {
    mkdirSync(join(context, 'base', dirname(path)), { recursive: true });
    copyFileSync(path, join(context, 'base', path));
  }
}

function withoutPacking(dockerfile: string): string {
  return dockerfile.replace(
    /^FROM \S+ AS build$[^]*?(?=^FROM )/m,
    'FROM scratch AS build\nCOPY packed /\n\n',
  );
}
