import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const templates = join(import.meta.dirname, '../templates');

/** The values for `{{name}}` in a template, and the flags for the template parts to keep. */
export type Values = Readonly<Record<string, string | boolean>>;

/**
 * Fills in a template by replacing `{{name}}` with the value. Text between `{{#name}}` and `{{/name}}` is kept unless the value
 * is empty or false, and text between `{{^name}}` and `{{/name}}` otherwise. A line with only such marks is removed.
 *
 * @throws Error for a name without a value
 */
export function fill(template: string, values: Values): string {
  const valueOf = (name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a template has no value for ${name}`);
    return value;
  };
  const section =
    /^[ ]*\{\{([#^])(\w+)\}\}\n([^]*?)^[ ]*\{\{\/\2\}\}\n|\{\{([#^])(\w+)\}\}([^]*?)\{\{\/\5\}\}/m;
  let text = template;
  for (let match = section.exec(text); match !== null; match = section.exec(text)) {
    const [all, lineSign, lineName, lines, sign = lineSign, name = lineName ?? '', part = lines ?? ''] =
      match;
    const kept = Boolean(valueOf(name)) === (sign === '#') ? part : '';
    text = text.slice(0, match.index) + kept + text.slice(match.index + all.length);
  }
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(valueOf(name)));
}

/** Fills in the template for a single file. */
export function fileOf(path: string, values: Values): string {
  return fill(readFileSync(join(templates, `${path}.txt`), 'utf8').replaceAll('\r\n', '\n'), values);
}

/** Fills in each file in a folder of templates. File names can contain values as `__name__`. */
export function filesOf(folder: string, values: Values): Record<string, string> {
  const entries = readdirSync(join(templates, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const paths = files.map((file) =>
    relative(join(templates, folder), file).replaceAll(sep, '/').slice(0, -'.txt'.length),
  );
  const target = (path: string) => fill(path.replaceAll(/__(\w+?)__/g, '{{$1}}'), values);
  return Object.fromEntries(paths.map((path) => [target(path), fileOf(`${folder}/${path}`, values)]));
}
