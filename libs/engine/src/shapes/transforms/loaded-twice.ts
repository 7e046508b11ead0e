/**
 * Whether the process has loaded class-transformer from two folders. Each copy has its own storage, so decorators may have
 * written to a storage that is never read.
 *
 * @returns `false` if it is unknown: in a bundle, or if Node's own loader is missing
 */
export function isLoadedTwice(): boolean {
  const loaded = process.getBuiltinModule?.('node:module').createRequire(process.execPath).cache ?? {};
  return Object.keys(loaded).filter((file) => STORAGE.test(file)).length > 1;
}

const STORAGE = /[\\/]class-transformer[\\/]cjs[\\/]storage\.js$/;
