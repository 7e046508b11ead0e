import { globSync } from 'node:fs';

/** Returns the Markdown files of the workspace, relative to its root. */
export function pagesOf(root: string): string[] {
  return globSync('**/*.md', {
    cwd: root,
    exclude: (path) => /(^|[/\\])(node_modules|dist|data|\..*)$/.test(path),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
}
