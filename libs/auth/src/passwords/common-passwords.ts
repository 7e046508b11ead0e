import { brotliDecompressSync } from 'node:zlib';

/** Returns whether a password is among the most common passwords. */
export type IsCommon = (password: string) => boolean;

/**
 * Loads the list of the 100,000 most common passwords with at least eight characters. The list takes 7 MB in memory, which only
 * programs that call this function spend. A password is also looked up in lower case.
 */
export async function loadCommonPasswords(): Promise<IsCommon> {
  const { list } = await import('./common-passwords.list.js');
  const passwords = new Set(decode(brotliDecompressSync(Buffer.from(list, 'base64')).toString()));
  return (password) => passwords.has(password) || passwords.has(password.toLowerCase());
}

/** Decodes lines: a base-36 digit counts the characters shared with the previous password, and the rest follows. */
function decode(list: string): readonly string[] {
  let before = '';
  return list.split('\n').map((line) => {
    before = before.slice(0, Number.parseInt(line[0] ?? '0', 36)) + line.slice(1);
    return before;
  });
}
