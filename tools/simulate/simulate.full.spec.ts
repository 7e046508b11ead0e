import { figures } from './figures.mts';
import { describeViolation } from './report.mts';
import { simulate } from './simulate.mts';
import { subjects } from './subjects/subjects.mts';

/** Each about half a minute of one core at most: the outbox of a thousand programs takes five minutes. */
const fleets = subjects.map((subject) => ({
  subject,
  name: subject.name,
  programs: subject.name === 'mails' ? 30 : 1_000,
}));

it.each(fleets)(
  '$programs programs keep what they promise about $name',
  async ({ subject, programs }) => {
    expect(describeViolation(await simulate(subject, { seed: 1_000, programs, figures }))).toBe('');
  },
  180_000,
);
