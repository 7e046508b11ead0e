import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../test/builds/processes';
import { copyWorkspace, type WorkspaceCopy } from '../../test/builds/workspace-copy';

let copy: WorkspaceCopy;
beforeAll(async () => (copy = await copyWorkspace()));
afterAll(() => copy.remove());

/** Specs of accounts, stores, settings and tools. A generated resource, plugin, application or library changes nothing in them. */
const unaffected = [
  'apps/admin/**',
  'apps/api/test/{email-*,factors,faults,fuzzed-settings,identity-providers,issuer-*,passkeys,password-*,provider-claims}.spec.ts',
  'apps/api/test/{idempotency,promises-of-another-program,rate-*,recovered-accounts,refresh-*,revocation-*,second-*}.spec.ts',
  'apps/api/test/{sessions,sign-*,slow-third-parties,store-faults,totp,trusted-issuers,two-instances,unknown-outcomes}.spec.ts',
  'test/{attack,call-described,drills,runbook,token-kinds,types}.spec.ts',
];

/** Resources of the kinds that the page names: two of an organization, and an account's, which refers to the page's tickets. */
const resources = [
  'board name:text:unique --tenant',
  "card title:text board:ref:boards 'status:one-of(open,done)' --tenant",
  'visit title:text ticket:ref:tickets --owned',
].map((words) => `npm run new resource -- ${words} --no-generate`);

describe('the generators, as CONTRIBUTING shows them', () => {
  // Not again in the same copy, where the generated files exist.
  it('leave npm test green', { timeout: 1_200_000, retry: 0 }, async () => {
    const page = await readFile(join(copy.path, 'CONTRIBUTING.md'), 'utf8');
    const commands = [...page.matchAll(/`(npm run new [^`]*\s[^`]*)`/g)].map(([, command]) => command);
    expect(commands.map((command) => command?.split(' ')[3])).toEqual([
      'resource',
      'resource',
      'field',
      'plugin',
      'rule',
      'app',
      'lib',
    ]);
    // Both stores run the same sources.
    const affected = `npm test -- --project sqlite --project workspace ${unaffected.map((glob) => `--exclude '${glob}'`).join(' ')} apps/ libs/client/ libs/ledger/ libs/service/src/reference/ /test/ tools/pack/`;
    const script = [...commands, ...resources, 'npm run generate', 'npm run types', affected].join('\n');
    const { code, output } = await run('sh', ['-ec', script], { cwd: copy.path });
    expect([code, code === 0 ? '' : output.slice(-5_000)]).toEqual([0, '']);
  });
});
