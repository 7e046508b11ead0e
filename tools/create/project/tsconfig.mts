import type { Draft } from '../source/draft.mts';
import { toJson } from './project.mts';

interface TsConfig {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
}

/** Lets the sources of every project import a library by its alias. */
export function addAlias(draft: Draft, library: string): void {
  const config: TsConfig = JSON.parse(draft.read('tsconfig.json'));
  const paths = { ...config.compilerOptions.paths, [`@app/${library}`]: [`./libs/${library}/src/index.ts`] };
  draft.write('tsconfig.json', toJson({ ...config, compilerOptions: { ...config.compilerOptions, paths } }));
}
