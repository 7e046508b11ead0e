import { globSync } from 'node:fs';

/** The Markdown files of the workspace, relative to it. */
export function pagesOf(root: string): string[] {
  return globSync('**/*.md', {
    cwd: root,
    exclude: (path) => /(^|[/\\])(node_modules|dist|data|\..*)$/.test(path),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
}
