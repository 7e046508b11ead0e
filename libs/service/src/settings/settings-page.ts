import { type Declarations, declared, withMembers } from '@app/settings';

/**
 * Writes the settings reference as a Markdown table: name, default, meaning, example.
 *
 * @returns the table, with a line per setting in declaration order and a final line feed
 */
export function settingsPage(declarations: Declarations): string {
  const rows = withMembers(declarations).map(([name, schema]) => {
    const { description = '', defaultText, examples: [example] = [] } = declared(schema);
    const written = example === undefined ? undefined : `${name}=${example}`;
    return row([code(name), code(defaultText), description, code(written)]);
  });
  return [
    row(['Variable', 'Default', 'Meaning', 'Example']),
    row(['---', '---', '---', '---']),
    ...rows,
    '',
  ].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ')).join(' | ')} |`;
}

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``;
}
