/**
 * Whether the process has loaded class-transformer from two folders. Each has its own storage, so decorators may have
 * written to the one that is not read.
 *
 * @returns `false` if it cannot be known: in a bundle, or without Node's own loader
 */
export function isLoadedTwice(): boolean {
  const loaded = process.getBuiltinModule?.('node:module').createRequire(process.execPath).cache ?? {};
  return Object.keys(loaded).filter((file) => STORAGE.test(file)).length > 1;
}

const STORAGE = /[\\/]class-transformer[\\/]cjs[\\/]storage\.js$/;
