import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listApplications, root } from '../scripts/workspace.mts';

/** The document parts that are checked. */
interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Record<string, Record<string, { readonly operationId: string; readonly summary: string }>>;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly components: { readonly schemas: Record<string, { readonly properties?: Record<string, object> }> };
}

describe.each([...listApplications()])('the description of %s', (application) => {
  const read = (file: string) => readFileSync(join(root, 'apps', application, file), 'utf8');
  const document: Document = JSON.parse(read('openapi.json'));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) => ({
      method,
      path,
      operationId,
      summary,
    })),
  );

  it('says what the API is, in a title and a paragraph before the limits of bodies', () => {
    const [introduction, ...rest] = document.info.description.split('\n\n');
    expect(document.info.title).toMatch(/\bAPI$/);
    expect(introduction?.split(' ').length).toBeGreaterThan(5);
    expect(rest.join()).toContain('Bodies are JSON in UTF-8.');
  });

  it('has summaries in plain text, because pages show them without Markdown', () => {
    expect(operations.filter(({ summary }) => /[`*]/.test(summary))).toEqual([]);
  });

  it('has a text for every operation, from the TSDoc of its handler', () => {
    const texts = read('src/descriptions.ts');
    const keys = operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.filter((key) => !texts.includes(`'${key}':`))).toEqual([]);
  });

  it('has a sentence for every tag, from @Tag or the TSDoc of its controller', () => {
    expect(document.tags.length).toBeGreaterThan(3);
    expect(document.tags.filter(({ description }) => !/^[A-Z][^.]+\.$/.test(description ?? ''))).toEqual([]);
  });

  it('has an example for every text: `@example` in the TSDoc of a member gives one', () => {
    const members = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([member, schema]) => [`${name}.${member}`, schema] as const),
    );
    const texts = members.filter(([, schema]) => JSON.stringify(schema).startsWith('{"type":"string"'));
    expect(texts.length).toBeGreaterThan(20);
    const without = texts.filter(([, schema]) =>
      ['examples', 'enum', 'const', 'default'].every((keyword) => !(keyword in schema)),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('names no operation by a number, and every member has a type', () => {
    expect(operations.map(({ operationId }) => operationId).filter((id) => /\d$/.test(id))).toEqual([]);
    const members = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([member, schema]) => [`${name}.${member}`, schema] as const),
    );
    const untyped = members.filter(([, schema]) =>
      ['type', '$ref', 'const', 'enum', 'anyOf', 'oneOf'].every((keyword) => !(keyword in schema)),
    );
    expect(untyped.map(([name]) => name)).toEqual([]);
  });
});
