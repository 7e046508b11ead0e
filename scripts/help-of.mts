import { readFileSync } from 'node:fs';

/**
 * Returns the `--help` text of a script. The text is the doc comment that names the script's command (`npm run …`), or else the
 * longest doc comment.
 *
 * @param text the script source
 */
export function helpOf(text: string): string | undefined {
  const comments = Array.from(text.matchAll(/^\/\*\*\s?([\s\S]*?)\*\/$/gm), ([, comment = '']) => {
    const lines = comment.split('\n').map((line) => line.replace(/^ ?\* ?/, '').trim());
    return lines.join('\n').trim();
  });
  const [longest] = comments.toSorted((left, right) => right.length - left.length);
  return comments.find((comment) => comment.includes('npm run ')) ?? longest;
}

const [, , script] = process.argv;
if (import.meta.main && script !== undefined) console.log(helpOf(readFileSync(script, 'utf8')));
