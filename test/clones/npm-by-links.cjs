// In place of npm, for tests without a registry: `npm install` links what a workspace needs from the packages of this one, and
// unpacks the tarballs that its manifest names.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } = require('node:fs');
const { join } = require('node:path');

const from = join(__dirname, '../../node_modules');
const to = join(process.cwd(), 'node_modules');
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const all = Object.entries({ ...dependencies, ...devDependencies });

mkdirSync(join(to, '.bin'), { recursive: true });
for (const name of packagesIn(from)) {
  mkdirSync(join(to, name, '..'), { recursive: true });
  linkTo(join(from, name), join(to, name));
}
for (const [name, place] of all) {
  if (place.startsWith('file:')) unpack(name, place.slice('file:'.length));
  else if (!existsSync(join(to, name))) throw new Error(`${name} is not installed in this workspace`);
}

/** The manifest of one is read by its tarball, which also says what is linked in .bin. */
function unpack(name, tarball) {
  const folder = join(to, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
  if (status !== 0) throw new Error(`${tarball} cannot be unpacked`);
  const { bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const [command, file] of Object.entries(bin)) linkTo(join(folder, file), join(to, '.bin', command));
}

/** Also where an earlier call has. */
function linkTo(target, path) {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

function packagesIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('.') || name === '@sluice') return [];
    return name.startsWith('@') ? readdirSync(join(folder, name)).map((one) => `${name}/${one}`) : name;
  });
}
