import { globSync, readFileSync } from 'node:fs';

/** A broken promise, with its place and its remedy. */
export interface Fault {
  /** The subject, such as `note.color` or `GET /notes`. */
  readonly subject: string;
  readonly problem: string;
  readonly remedy: string;
  /** The source position to change, if known. */
  readonly at?: { readonly file: string; readonly line: number };
}

/**
 * Fails a test with each fault, its place and its remedy, in the format of startup findings.
 *
 * @throws Error if there is a fault
 */
export function expectNoFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Error(faults.map(textOf).join('\n\n'));
}

function textOf({ subject, problem, remedy, at }: Fault): string {
  return `${at ? `${at.file}:${at.line}  ` : ''}${subject}\n  ${problem}\n  → ${remedy}`;
}

/** Finds the source line that declares a table's column, else its `secrecy`, else the table itself. */
export function placeOfTable(table: string, column = 'secrecy'): Fault['at'] {
  const declaration = new RegExp(`\\bdefineTable\\(\\s*'${table}'|\\bname: '${table}',$`);
  for (const file of globSync('{apps,libs}/*/{src,test,testing}/**/*.ts')) {
    const lines = readFileSync(file, 'utf8').split('\n');
    const start = lines.findIndex((line) => declaration.test(line));
    if (start < 0) continue;
    const ends = lines.findIndex((line, index) => index > start && line.startsWith('}'));
    const within = lines.slice(start, ends < 0 ? undefined : ends);
    const at = [column, 'secrecy']
      .map((name) => within.findIndex((line) => new RegExp(`\\b${name}:`).test(line)))
      .find((index) => index >= 0);
    return { file, line: start + (at ?? 0) + 1 };
  }
  return undefined;
}
