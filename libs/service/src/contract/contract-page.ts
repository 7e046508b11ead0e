import { callerFaults } from '@app/auth';
import { answerFaults } from '@app/serialization';
import { inputFaults } from '@app/validation';
import { routeFaults } from './shadowed-routes';

/** Every code that a start can end with for its contract, and why: what comes in, what goes out, who may call, routes. */
const chapters = [
  ['What comes in', inputFaults],
  ['What goes out', answerFaults],
  ['Who may call', callerFaults],
  ['Routes', routeFaults],
] as const;

/** The reference of all codes, as Markdown without a head. */
export function contractPage(): string {
  return chapters.map(([title, faults]) => `## ${title}\n\n${tableOf(faults)}`).join('\n');
}

function tableOf(faults: Readonly<Record<string, string>>): string {
  const rows = Object.entries(faults).map(([code, why]) => `| \`${code}\` | ${why} |`);
  return ['| code | what is wrong |', '| --- | --- |', ...rows, ''].join('\n');
}
