import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/workspace.mts';
import { format, toJson, writeFile } from './project.mts';

interface TsConfig {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
}

/** Lets the sources of every project import a library by its alias. */
export function addAlias(library: string): void {
  const config = read();
  const paths = { ...config.compilerOptions.paths, [`@app/${library}`]: [`./libs/${library}/src/index.ts`] };
  write({ ...config, compilerOptions: { ...config.compilerOptions, paths } });
}

function read(): TsConfig {
  const config: TsConfig = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return config;
}

function write(config: TsConfig): void {
  writeFile('tsconfig.json', toJson(config));
  format('tsconfig.json');
}
