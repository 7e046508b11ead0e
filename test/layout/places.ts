/**
 * Returns a file's project.
 *
 * @param path the path relative to the workspace
 * @returns `apps/api`, `libs/auth` or `tools/attack`, for example, or `undefined` for the workspace itself
 */
export function projectOf(path: string): string | undefined {
  return /^(apps|libs|tools)\/[^/]+/.exec(path)?.[0];
}

/** Whether a file is only for tests, such as a spec, a helper or a story. */
export function isTest(path: string): boolean {
  return path.endsWith('.spec.ts') || /(^|\/)(test|testing)\//.test(path);
}

/** Whether a file runs in production, or only in development. */
export function areaOf(path: string): 'program' | 'workspace' {
  return /^(apps|libs)\//.test(path) && !isTest(path) ? 'program' : 'workspace';
}
