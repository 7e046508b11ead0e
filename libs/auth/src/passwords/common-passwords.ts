import { brotliDecompressSync } from 'node:zlib';

/** Whether a password is among the commonest. */
export type IsCommon = (password: string) => boolean;

/**
 * Loads the list of the 100,000 commonest passwords of eight characters and more, 7 MB in memory. A password is also looked up
 * in lower case.
 *
 * The list is loaded only here: programs without it do not have it in memory.
 */
export async function loadCommonPasswords(): Promise<IsCommon> {
  const { list } = await import('./common-passwords.list.js');
  const passwords = new Set(decode(brotliDecompressSync(Buffer.from(list, 'base64')).toString()));
  return (password) => passwords.has(password) || passwords.has(password.toLowerCase());
}

/** Each line: how many characters are those of the password before, as a digit of base 36, and the others. */
function decode(list: string): readonly string[] {
  let before = '';
  return list.split('\n').map((line) => {
    before = before.slice(0, Number.parseInt(line[0] ?? '0', 36)) + line.slice(1);
    return before;
  });
}
