/**
 * Assigns ports to several programs. The first program gets `PORT` and the next programs get the following numbers, unless a
 * program has its own setting, such as `ADMIN_PORT`. With `PORT=0` each program listens on any free port.
 *
 * @param names the programs, in order
 * @param env the environment that starts them
 * @returns the port by program name, as each program reads it from its `PORT`
 * @throws Error that names an invalid setting
 */
export function portsOf(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Map<string, string> {
  const first = readPort('PORT', env.PORT ?? '3000');
  return new Map(
    names.map((name, index) => {
      const own = ownSetting(name);
      const next = first === 0 ? 0 : first + index;
      return [name, String(readPort(own, env[own] ?? String(next)))];
    }),
  );
}

function ownSetting(name: string): string {
  return `${name.replaceAll('-', '_').toUpperCase()}_PORT`;
}

function readPort(setting: string, value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new Error(`${setting} must be a whole number from 0 to 65535; it is ${JSON.stringify(value)}`);
}
