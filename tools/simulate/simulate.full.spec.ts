import { figures } from './figures.mts';
import { describeViolation } from './report.mts';
import { simulate } from './simulate.mts';
import { subjects } from './subjects/subjects.mts';

/** Each within a minute of one core: the outbox of a thousand programs takes five, their replicas one at best. */
const fleets = subjects.map((subject) => ({
  subject,
  name: subject.name,
  programs: ['mails', 'replicas'].includes(subject.name) ? 100 : 1_000,
}));

it.each(fleets)(
  '$programs programs keep what they promise about $name',
  async ({ subject, programs }) => {
    expect(describeViolation(await simulate(subject, { seed: 1_000, programs, figures }))).toBe('');
  },
  600_000,
);
