import { figures } from './figures.mts';
import { describeViolation } from './report.mts';
import { type Result, simulate } from './simulate.mts';
import { subjects } from './subjects/subjects.mts';

/** Few programs, so that the simulation is long. */
const programs = 8;

const everyFault = subjects.flatMap((subject) => subject.faults.map(({ name }) => ({ subject, name })));

describe('a simulated fleet', () => {
  it.each(subjects)('keeps what it promises about $name', async (subject) => {
    const { violation, checks, faults } = await simulate(subject, { seed: 1, programs, figures });
    expect(violation).toBeUndefined();
    expect(checks).toBeGreaterThan(100);
    expect(faults).toBeGreaterThan(5);
  });

  it.each(everyFault)('shows the fault $name', async ({ subject, name }) => {
    let found: Result | undefined;
    for (let seed = 1; seed <= 12 && found?.violation === undefined; seed += 1)
      found = await simulate(subject, { seed, programs, figures, planted: name });
    expect(found?.violation?.trace).not.toEqual([]);
  });

  it('does the same for the same seed, and prints how to see a violation again', async () => {
    const [subject] = subjects;
    if (subject === undefined) throw new TypeError('there is no subject');
    const run = { seed: 3, programs, figures, planted: 'short-memory' };
    const result = await simulate(subject, run);
    expect(await simulate(subject, run)).toEqual(result);
    expect(describeViolation(result)).toMatch(
      /VIOLATION {2}revocations, seed 3, 8 programs, at 0:.+\nagain: npm run simulate -- --only revocations --seed 3 --programs 8$/,
    );
  });
});
