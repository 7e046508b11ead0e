import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { createVitest, type TestModule } from 'vitest/node';
import type { Versions } from './versions.mts';

/** A suite with installed versions. */
export interface Run {
  /** The folder with the tests, the installed packages, and the modules `library.mjs` and `engine.mjs`. */
  readonly folder: string;
  /** The checkout's name. */
  readonly suite: string;
  readonly library: string;
  readonly versions: Versions;
}

/** The results from a run. */
interface Results extends Run {
  /** The number of tests that passed, of all tests, on the library, on the engine, and in comparisons of rules. */
  readonly passed: Readonly<Record<Subject, string>>;
  /** The tests whose results differ, and the rules that differ from the installed validator.js. */
  readonly differences: readonly string[];
}

const SUBJECTS = ['library', 'engine', 'rules'] as const;
type Subject = (typeof SUBJECTS)[number];

const root = join(import.meta.dirname, '../..');

/** The options with which the libraries compile their tests. */
const oxc = {
  assumptions: { setPublicClassFields: true },
  decorator: { legacy: true, emitDecoratorMetadata: true },
  typescript: { removeClassFieldsWithoutInitializer: true },
};

/** Runs all suites in one Vitest, a project per suite, versions and subject. */
export async function runSuites(runs: readonly Run[]): Promise<Results[]> {
  const vitest = await createVitest('test', {
    root,
    config: false,
    watch: false,
    reporters: [],
    projects: runs.flatMap((run, at) => SUBJECTS.map((subject) => projectOf(run, subject, at))),
  });
  try {
    const { testModules } = await vitest.start();
    return runs.map((run, at) => {
      const outcomes = SUBJECTS.map((subject) =>
        outcomesOf(
          testModules.filter(({ project }) => project.name === nameOf(subject, at)),
          subject === 'rules' ? 'has the same results as the library' : '',
        ),
      ) as [Outcomes, Outcomes, Outcomes];
      return resultsOf(run, outcomes);
    });
  } finally {
    await vitest.close();
  }
}

function nameOf(subject: Subject, at: number): string {
  return `${subject} ${at}`;
}

function projectOf({ folder, library }: Run, subject: Subject, at: number): TestProjectInlineConfiguration {
  const env = { SLUICE_COMPILE_AFTER: '0', LEAF_RUNS: '500', NODE_NO_WARNINGS: '1' };
  const common = { name: nameOf(subject, at), globals: true, isolate: false, env };
  if (subject !== 'rules')
    return {
      oxc,
      resolve: {
        alias: [{ find: /^(?:\.\.?\/)+src(?:\/.*)?$/, replacement: join(folder, `${subject}.mjs`) }],
      },
      test: {
        ...common,
        root: folder,
        include: ['test/**/*.spec.ts'],
        setupFiles: join(root, 'test/peers/jest.ts'),
      },
    };
  const rules = 'libs/engine/src/validation/built-in-rules/rules.spec.ts';
  const installed = join(folder, 'node_modules/class-validator/cjs/index.js');
  return {
    oxc,
    resolve: { alias: [{ find: /^class-validator$/, replacement: installed }] },
    test: {
      ...common,
      root,
      include: library === 'class-validator' ? [rules] : [],
      setupFiles: join(root, 'test/peers/jest.ts'),
    },
  };
}

/** The test states by name, such as `passed`. */
type Outcomes = ReadonlyMap<string, string>;

/** @param title a text that the counted tests have in their names */
function outcomesOf(modules: readonly TestModule[], title: string): Outcomes {
  return new Map(
    modules.flatMap((module): (readonly [string, string])[] => {
      const file = module.relativeModuleId;
      if (module.children.size === 0) return [[file, 'not loaded']];
      return [...module.children.allTests()]
        .filter((test) => test.fullName.includes(title) && test.result().state !== 'skipped')
        .map((test) => [`${file} > ${test.fullName}`, test.result().state]);
    }),
  );
}

function resultsOf(run: Run, [library, engine, rules]: [Outcomes, Outcomes, Outcomes]): Results {
  const names = [...new Set([...library.keys(), ...engine.keys()])];
  return {
    ...run,
    passed: { library: countPassed(library), engine: countPassed(engine), rules: countPassed(rules) },
    differences: [
      ...names.filter((name) => library.get(name) !== engine.get(name)),
      ...[...rules.keys()].filter((name) => rules.get(name) !== 'passed'),
    ],
  };
}

function countPassed(outcomes: Outcomes): string {
  return `${[...outcomes.values()].filter((state) => state === 'passed').length} of ${outcomes.size}`;
}

/** The table head that {@link describeRun} continues. */
export const TABLE = `| suite | class-validator | validator.js | class-transformer | library | engine | rules | differences |
|---|---|---|---|---:|---:|---:|---:|
`;

/** Returns a table row, and the differences below it. */
export function describeRun({ suite, versions, passed, differences }: Results): string {
  const cells = [
    suite,
    versions['class-validator'],
    versions.validator,
    versions['class-transformer'],
    passed.library,
    passed.engine,
    passed.rules,
    differences.length,
  ];
  return `| ${cells.join(' | ')} |\n${differences.map((name) => `  ${name}\n`).join('')}`;
}
