import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diff } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { root } from '../../../scripts/workspace.mts';
import { asAliases, asInWorkspace } from '../lib-imports.mts';

/** A file that a draft creates or changes. */
export interface DraftedFile {
  /** The path relative to the workspace. */
  readonly path: string;
  /** The text before the change; `undefined` if the file is new. */
  readonly before: string | undefined;
  readonly after: string;
}

/** The drafted workspace files, with LF. A draft writes only when every change is known. Files keep their line ends. */
export class Draft {
  private readonly texts = new Map<string, string>();

  /** Returns a file's text, including the changes in this draft. */
  read(path: string): string {
    return this.texts.get(path) ?? asAliases(withLf(readFileSync(join(root, path), 'utf8')));
  }

  /** Whether a file exists, or is created by this draft. */
  has(path: string): boolean {
    return this.texts.has(path) || existsSync(join(root, path));
  }

  write(path: string, text: string): void {
    this.texts.set(path, text);
  }

  /** The files that are created or changed, formatted by prettier, in path order. */
  async files(): Promise<readonly DraftedFile[]> {
    const all = [...this.texts].map(async ([path, text]) => {
      const before = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
      const after = await formatted(path, text);
      return { path, before, after: before?.includes('\r\n') ? after.replaceAll('\n', '\r\n') : after };
    });
    const files = (await Promise.all(all)).filter(({ before, after }) => before !== after);
    return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Writes them. */
  async save(): Promise<void> {
    for (const { path, after } of await this.files()) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), after);
    }
  }
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Pages are wrapped by hand. */
async function formatted(path: string, text: string): Promise<string> {
  if (path.endsWith('.md')) return text;
  const file = join(root, path);
  return format(asInWorkspace(text), { ...(await resolveConfig(file)), filepath: file, endOfLine: 'lf' });
}

/** The number of unchanged lines around a change. */
const context = 2;

/** Returns the output of `--dry-run` for a draft. */
export async function describeDraft(draft: Draft): Promise<string> {
  const files = (await draft.files()).map(differenceOf);
  return [...files, 'would run npm run generate'].join('\n');
}

/** Returns the changes to a file as lines that begin with `+`, `-` or a blank. New files are listed without their text. */
function differenceOf({ path, before, after }: DraftedFile): string {
  if (before === undefined) return `would create ${path}`;
  const lines = diff(withLf(before).split('\n'), withLf(after).split('\n'));
  const isShown = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(([kind]) => kind !== 0);
  const marks = { '-1': '+', 0: ' ', 1: '-' } as const;
  const shown: string[] = [];
  for (const [at, [kind, line]] of lines.entries()) {
    if (!isShown(at)) continue;
    if (at === 0 || !isShown(at - 1)) shown.push('@@');
    shown.push(`${marks[kind]}${line}`);
  }
  return [`would change ${path}`, ...shown].join('\n');
}
