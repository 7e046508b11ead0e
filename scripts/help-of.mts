import { readFileSync } from 'node:fs';

/**
 * What a script does, for `--help`: its doc comment that names its command (`npm run …`), else its longest one.
 *
 * @param text the source of the script
 */
export function helpOf(text: string): string | undefined {
  const comments = Array.from(text.matchAll(/^\/\*\*\s?([\s\S]*?)\*\/$/gm), ([, comment = '']) => {
    const lines = comment.split('\n').map((line) => line.replace(/^ ?\* ?/, '').trim());
    return lines.join('\n').trim();
  });
  const [longest] = comments.toSorted((one, other) => other.length - one.length);
  return comments.find((comment) => comment.includes('npm run ')) ?? longest;
}

const [, , script] = process.argv;
if (import.meta.main && script !== undefined) console.log(helpOf(readFileSync(script, 'utf8')));
