import { readFileSync } from 'node:fs';

/**
 * Parses the names of the specification's statements. Each table row, list item and paragraph is a statement and has a name such
 * as `§2 UserCreate: email` or `§5.3`. Lines that introduce the next line or say "not shown" are skipped.
 */
export function statementsOf(file: string): string[] {
  const names: string[] = [];
  let section = '';
  let heading = '';
  let rows = 0;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, hashes, title] = /^(#{2,3}) (.+)$/.exec(line) ?? [];
    if (hashes === '##') [section, heading] = [`§${title.split('.', 1)[0]}`, ''];
    else if (hashes === '###') heading = ` ${title.split(' (', 1)[0]}`;
    rows = line.startsWith('|') ? rows + 1 : 0;
    const name = hashes === undefined && section !== '' ? nameOf(line, rows) : undefined;
    if (name !== undefined) names.push(`${section}${heading}${name}`);
  }
  return names;
}

/** Returns a statement's name. The first two rows in a table are its header. */
function nameOf(line: string, row: number): string | undefined {
  if (row > 0) return row > 2 ? `: ${cells(line)}` : undefined;
  if (line.trim() === '' || line.endsWith(':') || line.endsWith(': not shown.')) return undefined;
  const point = /^(\d+)\. /.exec(line);
  return point ? `.${point[1]}` : `: ${line.split(' ').slice(0, 6).join(' ')} …`;
}

/** Returns the method and path from a route row, or else the first cell. */
function cells(line: string): string {
  const [first, second] = line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim().replaceAll('`', ''));
  return /^(GET|POST|PATCH|PUT|DELETE)$/.test(first) ? `${first} ${second.replace('{base_url}', '')}` : first;
}
