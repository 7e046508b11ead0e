import { readFileSync } from 'node:fs';

/**
 * Parses the names of the statements in the specification: one for each table row, list item and paragraph, such as
 * `§2 UserCreate: email` or `§5.3`. A line that introduces the next one, or that says "not shown", is not a statement.
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

/** The first two rows of a table are its header. */
function nameOf(line: string, row: number): string | undefined {
  if (row > 0) return row > 2 ? `: ${cells(line)}` : undefined;
  if (line.trim() === '' || line.endsWith(':') || line.endsWith(': not shown.')) return undefined;
  const point = /^(\d+)\. /.exec(line);
  return point ? `.${point[1]}` : `: ${line.split(' ').slice(0, 6).join(' ')} …`;
}

/** A route is named by method and path, any other row by its first cell. */
function cells(line: string): string {
  const [first, second] = line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim().replaceAll('`', ''));
  return /^(GET|POST|PATCH|PUT|DELETE)$/.test(first) ? `${first} ${second.replace('{base_url}', '')}` : first;
}
