import { countWords, measure, type Rates, type Text } from './measure';

/** The measures by name, such as a group's rates, word count and number of vague variables. */
export type Measures = Readonly<Record<string, number>>;

/**
 * The distance that a measure may fall below its limit before the limit has to follow, so that concurrent changes seldom
 * conflict.
 */
const slack: Measures = { of: 2, pronouns: 2, negations: 2, firstWords: 1, words: 1500, variables: 50 };

/**
 * Compares the measures of a group with their limits, which only fall until they reach their goal.
 *
 * @returns a message for each measure over its limit, and for each limit to lower
 */
export function keepLimits(group: string, measures: Measures, limits: Measures, goals: Measures): string[] {
  return Object.entries(measures).flatMap(([name, value]) => {
    const limit = limits[name] ?? 0;
    const goal = goals[name] ?? 0;
    if (value > limit)
      return [
        `${group}: ${name} is ${value}, and its limit is ${limit}: rewrite the files below (CONTRIBUTING.md, "Language")`,
      ];
    const lower = Math.max(goal, Math.ceil(value));
    if (limit > goal && lower < limit - (slack[name] ?? 0))
      return [
        `${group}: ${name} is ${value}: lower its limit of ${limit} to ${lower} in test/prose/limits.json`,
      ];
    return [];
  });
}

/** Prints the ten files of a group that exceed the goals most, as a table. */
export function worstFiles(texts: readonly Text[], goals: Measures): string {
  const files = Map.groupBy(texts, ({ place }) => place.replace(/\.json\/.*/, '.json'));
  const rows = [...files].map(([place, parts]) => {
    const rates = measure(parts);
    const words = countWords(parts);
    return { place, words, rates, excess: (words * excessOf(rates, goals)) / 1000 };
  });
  return [
    'words     of  pron.   neg. first%',
    ...rows
      .toSorted((a, b) => b.excess - a.excess)
      .slice(0, 10)
      .map(
        ({ place, words, rates: { of, pronouns, negations, firstWords } }) =>
          `${[words, of, pronouns, negations, firstWords].map((value) => String(value).padStart(5)).join('  ')}  ${place}`,
      ),
  ].join('\n');
}

function excessOf({ of, pronouns, negations }: Rates, goals: Measures): number {
  return [of - (goals.of ?? 0), pronouns - (goals.pronouns ?? 0), negations - (goals.negations ?? 0)]
    .map((excess) => Math.max(0, excess))
    .reduce((sum, excess) => sum + excess);
}
