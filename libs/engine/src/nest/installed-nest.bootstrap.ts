const tested = { oldest: 10, newest: 12 };

/**
 * Why the pipe and the interceptor of the installed Nest are left as they are, and what to do about it.
 *
 * The version is that of the program that was started. It is not known in a bundle: then Nest is taken as tested.
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
