import { execFileSync } from 'node:child_process';
import { inject } from 'vitest';
import { buildImage, canBuildImages, type Image } from './image';
import { endProcesses, readUrl, run, type Running, start } from './processes';

const { workspace } = inject('packing');
const canBuild = canBuildImages();
const why = canBuild ? '' : ' (needs root, buildah, strip, unshare and setpriv)';
/** The base of the Dockerfile has 24 MB, that of the test less. */
const maxBytes = 170e6;

/** Makes the root read-only except for the state, as `docker run --read-only` does, and goes on as the image's user. */
const contained = `
  mount --bind "$ROOT" "$ROOT" && mount -o remount,bind,ro "$ROOT" &&
  mount -t tmpfs -o "uid=\${OWNER%:*},mode=700" tmpfs "$ROOT/var/lib/sluice" &&
  exec setpriv --no-new-privs unshare --root="$ROOT" --wd=/opt/sluice --setgid="\${OWNER#*:}" --setuid="\${OWNER%:*}" "$@"`;

describe.runIf(canBuild)(`the container image${why}`, () => {
  let image: Image;
  beforeAll(() => void (image = buildImage(workspace)));
  afterEach(endProcesses);
  afterAll(() => image.remove());

  /** Runs a command in it. */
  function inside(command: readonly string[], env: Readonly<Record<string, string>>): Running {
    const { Env, User } = image.config;
    const ours = Object.fromEntries(Env.map((line) => line.split(/=(.*)/s)));
    const args = ['--mount', '--propagation', 'private', 'sh', '-c', contained, 'sh', ...command];
    return start('unshare', args, { cwd: '/', env: { ...ours, ROOT: image.root, OWNER: User, ...env } });
  }

  it('runs as an unprivileged user on a read-only root, and is healthy', async () => {
    const { Entrypoint, Healthcheck } = image.config;
    const program = inside(Entrypoint, { PORT: '0' });
    const url = await program.hear(readUrl);
    expect(await (await fetch(url)).text()).toMatch(/^sluice \d+\.\d+\.\d+ \(api\)$/);
    const [, ...check] = Healthcheck.Test;
    const healthy = inside(check, { PORT: new URL(url).port });
    expect([await healthy.ended, healthy.lines]).toEqual([0, []]);
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
  });

  it('is not healthy while nothing answers', async () => {
    const [, ...check] = image.config.Healthcheck.Test;
    expect(await inside(check, { PORT: '1' }).ended).toBe(1);
  });

  it('migrates by the same entry point', async () => {
    const migration = inside([...image.config.Entrypoint, 'migrate'], {});
    expect([await migration.ended, migration.lines.at(-1)]).toEqual([0, expect.stringMatching(/^applied/)]);
  });

  it('is small', () => {
    const bytes = execFileSync('du', ['--summarize', '--bytes', image.root], { encoding: 'utf8' });
    expect(Number.parseInt(bytes)).toBeLessThan(maxBytes);
  });

  it('has the packed program with its checksums', async () => {
    const sums = ['--check', '--quiet', '--strict', 'SHA256SUMS'];
    expect(await run('sha256sum', sums, { cwd: `${image.root}/opt/sluice` })).toEqual({
      code: 0,
      output: '',
    });
  });
});
