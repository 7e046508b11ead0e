import { parseArgs } from 'node:util';
import { runScript } from '../../scripts/workspace.mts';
import { type Capacity, capacityOf, type Load } from './capacity.mts';
import type { Store } from './figures.mts';

/**
 * Calculates the cores, programs and memory that a load needs, from measured figures: `npm run capacity -- --rps 2000 --users 100000`.
 * docs/guides/scale.md says what the steps are.
 *
 * `--rps` requests a second at the busiest; `--writes` the part of them that writes (default 0.1); `--users` users with a session in use
 * at the same time; `--sign-ins` and `--revocations` a second (default: each active user once a day); `--store sqlite` or `postgres`
 * (default); `--ttl` seconds of an access token (default 60); `--utilisation` the part of a core that is planned with (default 0.6);
 * `--json` prints the result as JSON.
 */
await runScript(() => {
  const { values } = parseArgs({
    options: {
      rps: { type: 'string', default: '100' },
      writes: { type: 'string', default: '0.1' },
      users: { type: 'string', default: '0' },
      'sign-ins': { type: 'string' },
      revocations: { type: 'string' },
      store: { type: 'string', default: 'postgres' },
      ttl: { type: 'string', default: '60' },
      utilisation: { type: 'string', default: '0.6' },
      json: { type: 'boolean', default: false },
    },
  });
  const activeUsers = numberOf('users', values.users);
  const onceADay = String(activeUsers / (24 * 60 * 60));
  const load: Load = {
    store: storeOf(values.store),
    requests: numberOf('rps', values.rps),
    writes: numberOf('writes', values.writes, { most: 1 }),
    activeUsers,
    signIns: numberOf('sign-ins', values['sign-ins'] ?? onceADay),
    revocations: numberOf('revocations', values.revocations ?? onceADay),
    tokenSeconds: numberOf('ttl', values.ttl, { least: 1 }),
    utilisation: numberOf('utilisation', values.utilisation, { least: 0.01, most: 1 }),
  };
  const capacity = capacityOf(load);
  if (values.json)
    console.log(JSON.stringify({ load, ...capacity, used: Object.fromEntries(capacity.used) }));
  else print(capacity);
  return Promise.resolve();
});

function numberOf(name: string, text: string, { least = 0, most = 1e12 } = {}): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= least && value <= most))
    throw new Error(`--${name} is a number from ${least} to ${most}, not ${text}`);
  return value;
}

function storeOf(text: string): Store {
  if (text !== 'sqlite' && text !== 'postgres') throw new Error(`--store is sqlite or postgres, not ${text}`);
  return text;
}

function print({ lines, advice, used }: Capacity): void {
  for (const { what, value, unit } of lines)
    console.log(`${what.padEnd(24)}${value.toLocaleString('en').padStart(12)} ${unit}`.trimEnd());
  console.log(
    `\n${advice.join('\n')}\n\nFrom these figures, of another machine than yours; each command measures it on yours:`,
  );
  for (const [name, { value, unit, command }] of used)
    console.log(`  ${name.padEnd(26)}${value.toLocaleString('en').padStart(8)} ${unit.padEnd(9)} ${command}`);
}
