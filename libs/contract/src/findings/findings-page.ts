/** The codes for a kind of finding, with the reason why each is wrong. */
export type Faults = Readonly<Record<string, string>>;

/**
 * Writes the reference of all contract findings, as Markdown without a heading.
 *
 * @param chapters the title and the codes for each table
 */
export function findingsPage(chapters: Readonly<Record<string, Faults>>): string {
  return Object.entries(chapters)
    .map(([title, faults]) => `## ${title}\n\n${tableOf(faults)}`)
    .join('\n');
}

function tableOf(faults: Faults): string {
  const byCode = Object.entries(faults).toSorted(([left], [right]) => left.localeCompare(right, 'en'));
  const rows = byCode.map(([code, why]) => `| \`${code}\` | ${why} |`);
  return ['| code | what is wrong |', '| --- | --- |', ...rows, ''].join('\n');
}
