import { figures } from './figures.mts';
import { describeViolation } from './report.mts';
import { simulateSeries } from './series.mts';
import { subjects } from './subjects/subjects.mts';

it.each(subjects)(
  'a thousand programs keep what they promise about $name',
  async (subject) => {
    for await (const result of simulateSeries({ subjects: [subject], hours: 100, seed: 1_000, figures }))
      expect(describeViolation(result)).toBe('');
  },
  600_000,
);
