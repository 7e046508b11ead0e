import { type Names, readNames } from '../names.mts';
import { Draft } from '../source/draft.mts';

/** What a rule is made of, as the command line gives it. */
export interface RuleOrder {
  readonly app: string;
  readonly name: string | undefined;
  readonly pattern: string | undefined;
  readonly example: string | undefined;
}

/** It is written into comments, strings and templates as it is. */
const unsafe = /[`'"\\$*]|\P{ASCII}|\p{Cc}/u;
/** What the spec of a rule sends, if the pattern does not accept it. */
const wrong = ['', ' ', 'x', '-1'];

/**
 * Drafts a rule for strings in `rules` of an application, with its spec.
 *
 * @returns the path of its file
 * @throws Error that says what is missing or not valid
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
  draft.write(`${path}.ts`, ruleFile(names, accepted, example));
  draft.write(`${path}.spec.ts`, specFile(names, accepted, example));
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

function ruleFile({ camel, pascal }: Names, { source }: RegExp, example: string): string {
  return `import { ownRule, withMeaning } from '@app/engine';
import type { ValidationOptions } from 'class-validator';

const PATTERN = /${source}/u;

/** A string such as \`${example}\`. */
export function ${pascal}(options?: ValidationOptions): PropertyDecorator {
  const declare = ownRule(
    {
      name: '${camel}',
      test: (value) => typeof value === 'string' && PATTERN.test(value),
      message: (eachPrefix) => \`\${eachPrefix}$property must be a value such as ${example}\`,
    },
    options,
  );
  const keywords = { type: 'string', pattern: PATTERN.source, examples: ['${example}'] };
  return withMeaning(declare, { keywords });
}
`;
}

function specFile({ kebab, pascal }: Names, accepted: RegExp, example: string): string {
  const rejected = wrong.filter((text) => !accepted.test(text)).map((text) => `'${text}'`);
  return `import { validateSync } from 'class-validator';
import { ${pascal} } from './${kebab}';

class Sample {
  @${pascal}() value!: unknown;
}

describe('${pascal}', () => {
  const messagesOf = (value: unknown) =>
    validateSync(Object.assign(new Sample(), { value })).flatMap(({ constraints = {} }) => Object.values(constraints));

  it('accepts its example', () => {
    expect(messagesOf('${example}')).toEqual([]);
  });

  it.each([${['undefined', 'null', '7', ...rejected].join(', ')}])('rejects %j', (value) => {
    expect(messagesOf(value)).toEqual(['value must be a value such as ${example}']);
  });
});
`;
}
