import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { UNREAD_MEMBERS, withoutUnreadMembers } from '../../tools/pack/engine/rule-members.mts';

const root = join(__dirname, '../..');

/** The declarations of rules as a bundle has them. */
async function bundled(entry: keyof typeof UNREAD_MEMBERS): Promise<string> {
  const build = await rolldown({
    input: join(root, 'libs/validation/src/rules/built-in/rules.ts'),
    platform: 'node',
    external: /^class-/,
    tsconfig: join(root, 'tsconfig.json'),
    treeshake: { moduleSideEffects: false },
    experimental: { nativeMagicString: true },
    plugins: [withoutUnreadMembers(entry)],
  });
  const { output } = await build.generate();
  await build.close();
  return output[0].code;
}

/** The declarations alone: `rule` itself reads every member. */
const declarationsIn = (code: string) => code.slice(code.indexOf('const choiceRules'));

describe('the declarations of rules in the package', () => {
  it.each(['tests', 'describes'] as const)('have what their entry reads: %s', async (entry) => {
    const code = declarationsIn(await bundled(entry));
    const unread: readonly string[] = UNREAD_MEMBERS[entry];
    const has = (name: string) => new RegExp(String.raw`\n\t\t${name}(?::|\(|,)`).test(code);
    expect(unread.filter(has)).toEqual([]);
    const read = ['name', 'key', 'test', 'calls', 'emit', 'keywords', 'takes', 'isExpensive', 'throws'];
    expect(read.filter((name) => has(name) === unread.includes(name))).toEqual([]);
  });
});
