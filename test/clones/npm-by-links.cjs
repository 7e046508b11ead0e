// In place of npm, for tests without a registry: `npm install` links what a workspace needs from the packages of this one, and
// unpacks the tarballs that its manifest names. Its lock file is the one of this workspace with these packages.
const { spawnSync } = require('node:child_process');
const {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const { basename, join } = require('node:path');

if (process.argv[2] === 'prefix') {
  process.stdout.write(`${process.cwd()}\n`);
  process.exit();
}

// npm packs a tarball by copying it.
if (process.argv[2] === 'pack') {
  const tarball = process.argv.at(-1).replace(/^file:/, '');
  copyFileSync(tarball, basename(tarball));
  process.exit();
}

const from = join(__dirname, '../../node_modules');
const to = join(process.cwd(), 'node_modules');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });

mkdirSync(join(to, '.bin'), { recursive: true });
for (const name of packagesIn(from)) {
  mkdirSync(join(to, name, '..'), { recursive: true });
  linkTo(join(from, name), join(to, name));
}
for (const [name, place] of all) {
  if (place.startsWith('file:')) unpack(name, place.slice('file:'.length));
  else if (!existsSync(join(to, name))) throw new Error(`${name} is not installed in this workspace`);
}

writeLock();

function writeLock() {
  const lock = JSON.parse(readFileSync(join(from, '../package-lock.json'), 'utf8'));
  const packages = { ...lock.packages, '': manifest };
  for (const [name, place] of all)
    if (place.startsWith('file:'))
      packages[`node_modules/${name}`] = {
        ...JSON.parse(readFileSync(join(to, name, 'package.json'), 'utf8')),
        resolved: place,
      };
  const text = JSON.stringify(
    { ...lock, name: manifest.name, version: manifest.version, packages },
    undefined,
    2,
  );
  writeFileSync('package-lock.json', `${text}\n`);
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
