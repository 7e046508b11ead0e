import { readNames } from '../names.mts';
import { Draft } from '../source/draft.mts';
import { filesOf } from '../source/template.mts';

/** The rule as the command line describes it. */
export interface RuleOrder {
  readonly app: string;
  readonly name: string | undefined;
  readonly pattern: string | undefined;
  readonly example: string | undefined;
}

/** The characters that an example must not contain, because it is written into comments, strings and templates unchanged. */
const unsafe = /[`'"\\$*]|\P{ASCII}|\p{Cc}/u;
/** The values that the spec sends as invalid, unless the pattern accepts them. */
const wrong = ['', ' ', 'x', '-1'];

/**
 * Drafts a rule for strings in the `rules` folder of an application, with its spec.
 *
 * @returns the file path
 * @throws Error that says which argument is missing or not valid
 */
export function makeRule({ app, name, pattern, example }: RuleOrder): {
  readonly path: string;
  readonly pascal: string;
  readonly draft: Draft;
} {
  const names = readNames(name, []);
  const accepted = readPattern(pattern);
  if (example === undefined || !accepted.test(example))
    throw new Error(`${JSON.stringify(example ?? '')} is not an example: ${pattern} does not accept it`);
  if (unsafe.test(example))
    throw new Error('an example is of letters, digits and marks, without quotes, backslashes, $ and *');
  const draft = new Draft();
  const path = `apps/${app}/src/rules/${names.kebab}`;
  if (!draft.has(`apps/${app}/src/${app}.program.ts`)) throw new Error(`there is no application ${app}`);
  if (draft.has(`${path}.ts`)) throw new Error(`${path}.ts already exists`);
  const rejected = wrong.filter((text) => !accepted.test(text)).map((text) => `'${text}'`);
  const values = {
    ...names,
    source: accepted.source,
    example,
    rejected: ['undefined', 'null', '7', ...rejected].join(', '),
  };
  for (const [file, text] of Object.entries(filesOf('rule', values)))
    draft.write(`apps/${app}/src/rules/${file}`, text);
  return { path, pascal: names.pascal, draft };
}

function readPattern(pattern = ''): RegExp {
  if (pattern === '') throw new Error("a pattern is missing, such as '^[A-Z]{3}-[0-9]{2}$', and an example");
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    throw new Error(`${pattern} is not a pattern`, { cause: error });
  }
}
