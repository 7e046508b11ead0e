import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vitest/config';
import { pageModules } from './page-modules.mts';

const root = join(import.meta.dirname, '../..');

/** A plugin that loads a page's TypeScript as a module: `import { ReportsController } from '../docs/guides/streaming.md'`. */
export const pagesPlugin: Plugin = {
  name: 'pages',
  enforce: 'pre',
  async resolveId(source, importer) {
    // Vite asks again for what it wrote as a path from the root.
    if (source.endsWith('.md/page.ts')) return source.startsWith(root) ? source : join(root, source);
    if (!source.endsWith('.md')) return undefined;
    const page = await this.resolve(source, importer, { skipSelf: true });
    return page && `${page.id}/page.ts`;
  },
  load(id) {
    const [, page] = /^(.+\.md)\/page\.ts$/.exec(id) ?? [];
    if (page === undefined) return undefined;
    this.addWatchFile(page);
    const name = relative(root, page);
    return pageModules(name, readFileSync(page, 'utf8')).find(({ path }) => path === `${name}/page.ts`)?.text;
  },
};
