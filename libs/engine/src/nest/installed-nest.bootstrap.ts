const tested = { oldest: 10, newest: 12 };

/**
 * Explains why the pipe and the interceptor of the installed Nest are left unchanged, and how to fix it.
 *
 * The version belongs to the program that was started. A bundle does not reveal the version, so Nest counts as tested there.
 *
 * @param main the file that the program was started with
 * @returns `undefined` for the versions with which the package is tested
 */
export function whyNestIsLeft(main: string | undefined = process.argv[1]): string | undefined {
  const version = installedVersion(main ?? `${process.cwd()}/main.js`);
  const major = Number.parseInt(version ?? '', 10);
  if (Number.isNaN(major) || (major >= tested.oldest && major <= tested.newest)) return undefined;
  const range = `${tested.oldest} to ${tested.newest}`;
  return `NestJS ${version} is not one of the tested versions, ${range}: npm install @nestjs/common@${tested.newest}`;
}

function installedVersion(main: string): string | undefined {
  try {
    const require = process.getBuiltinModule('node:module').createRequire(main);
    const { version }: { version?: string } = require('@nestjs/common/package.json');
    return version;
  } catch {
    return undefined;
  }
}
