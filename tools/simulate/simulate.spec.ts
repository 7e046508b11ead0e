import { figures } from './figures.mts';
import { describeViolation } from './report.mts';
import { type Result, simulate } from './simulate.mts';
import { subjects } from './subjects/subjects.mts';

/** Few programs, so that the simulation is long. */
const programs = 5;

/** Shows each fault within three seeds; from 1 on, one took eight seeds of a second each. */
const FIRST_SEED = 8;

const everyFault = subjects.flatMap((subject) => subject.faults.map(({ name }) => ({ subject, name })));

describe('a simulated fleet', () => {
  it('is to find ten faults', () => {
    expect(everyFault.length).toBeGreaterThanOrEqual(10);
  });

  it.each(subjects)('keeps what it promises about $name', async (subject) => {
    const { violation, checks, faults } = await simulate(subject, { seed: 1, programs, figures });
    expect(violation).toBeUndefined();
    expect(checks).toBeGreaterThan(100);
    expect(faults).toBeGreaterThan(5);
  });

  it.each(everyFault)('shows the fault $name', async ({ subject, name }) => {
    let result: Result | undefined;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 20 && result?.violation === undefined; seed += 1)
      result = await simulate(subject, { seed, programs, figures, planted: name });
    expect(result?.violation?.trace.length).toBeGreaterThan(0);
  });

  it('does the same for the same seed, and prints how to see a violation again', async () => {
    const subject = subjects.find(({ name }) => name === 'limits');
    if (subject === undefined) throw new TypeError('limits are not simulated');
    const run = { seed: 1, programs, figures, planted: 'totals-replaced' };
    const result = await simulate(subject, run);
    expect(await simulate(subject, run)).toEqual(result);
    expect(describeViolation(result)).toMatch(
      /VIOLATION {2}limits, seed 1, 5 programs, at 0:.+\nagain: npm run simulate -- --only limits --seed 1 --programs 5$/,
    );
  });
});
