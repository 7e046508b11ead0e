import { readNames } from '../names.mts';
import { factsOf, initialText } from './field-types.mts';
import type { Field } from './fields.mts';
import { filtersOf, sortsOf } from './lists.mts';
import { refsOf, type Resource, sampleName } from './resource.mts';

/** The spec of the resource, over HTTP on a real store. */
export function specFile(resource: Resource): string {
  const { app, kebab, pascal, plural, fields, isOwned } = resource;
  const boot = `boot${readNames(app, []).pascal}`;
  const names = fields.map(({ name }) => `'${name}'`).join(', ');
  return `import type { Client } from '@app/service/testing';
import { ${boot} } from '../../testing/boot-${app}';
import { ${sampleName({ pascal })} } from '../../testing/samples/${kebab}';

describe('${plural.replaceAll('-', ' ')}', () => {
  const api = ${boot}();
  let admin: Client;
  let writer: Client;
  let reader: Client;
  beforeAll(async () => {
    admin = await api.administrator();
    writer = ${isOwned ? 'await api.newcomer()' : 'admin'};
    reader = await api.newcomer();
  });
  const newBody = () => ${sampleName({ pascal })}({ caller: writer, admin });
  const make = async () => (await writer.post('/${plural}', await newBody())).json;

  it('are created ${isOwned ? 'and read by their owner' : 'by administrators, and read by every user'}', async () => {
    const sent = await newBody();
    const made = await writer.post('/${plural}', sent);
    expect(made.status).toBe(201);
    expect(Object.keys(made.json)).toEqual(['id', ${names}, 'createdAt']);
    expect(made.json).toMatchObject(sent);
    const place = made.headers.get('location') ?? '';
    expect(place).toBe(\`/${plural}/\${made.json.id}\`);
    expect((await ${isOwned ? 'writer' : 'reader'}.get(place)).json).toEqual(made.json);
    expect((await ${isOwned ? 'writer' : 'reader'}.get('/${plural}?limit=100')).json.items).toContainEqual(made.json);
  });

${isOwned ? ownedCase(resource) : managedCase(resource)}
  it('reject invalid fields', async () => {
    const wrong: Readonly<Record<string, readonly unknown[]>> = { ${fields.map((field) => wrong(resource, field)).join(', ')} };
    const valid = await newBody();
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const { status } = await writer.post('/${plural}', { ...valid, [field]: value });
        expect([field, value, status]).toEqual([field, value, 400]);
      }
    expect((await writer.post('/${plural}', { ...valid, unknown: 1 })).status).toBe(400);
  });

  it('update the given fields only', async () => {
    const made = await make();
    const place = \`/${plural}/\${made.id}\`;
    const { ${firstPlain(resource).name} } = await newBody();
    const changed = { ...made, ${firstPlain(resource).name} };
    expect((await writer.patch(place, { ${firstPlain(resource).name} })).json).toEqual(changed);
    expect((await writer.patch(place, {})).json).toEqual(changed);
  });

  it('are created once by a retry, and changed only if they are as they were read', async () => {
    const body = await newBody();
    const retry = writer.with({ 'idempotency-key': 'one' });
    const [made, again] = [await retry.post('/${plural}', body), await retry.post('/${plural}', body)];
    expect([again.status, again.json]).toEqual([201, made.json]);
    const place = \`/${plural}/\${made.json.id}\`;
    const tag = (await writer.get(place)).headers.get('etag') ?? '';
    expect((await writer.with({ 'if-none-match': tag }).get(place)).status).toBe(304);
    const { ${firstPlain(resource).name} } = await newBody();
    const asRead = writer.with({ 'if-match': tag });
    expect((await asRead.patch(place, { ${firstPlain(resource).name} })).status).toBe(200);
    expect((await asRead.patch(place, { ${firstPlain(resource).name} })).status).toBe(412);
    expect((await asRead.delete(place)).status).toBe(412);
  });
${orders(resource)}${filters(resource)}${nullables(resource)}${initials(resource)}${uniques(resource)}${references(resource)}
  it('are 404 after they were removed', async () => {
    const place = \`/${plural}/\${(await make()).id}\`;
    expect((await writer.delete(place)).status).toBe(204);
    const [read, changed, removed] = [await writer.get(place), await writer.patch(place, {}), await writer.delete(place)];
    expect([read.status, changed.status, removed.status]).toEqual([404, 404, 404]);
  });
});
`;
}

function managedCase({ plural, pascal }: Resource): string {
  return `  it('require a caller, and are changed by administrators only', async () => {
    const { id } = await make();
    const body = await ${sampleName({ pascal })}({ caller: reader, admin });
    expect((await api().get('/${plural}')).status).toBe(401);
    expect((await reader.post('/${plural}', body)).status).toBe(403);
    expect((await reader.patch(\`/${plural}/\${id}\`, {})).status).toBe(403);
    expect((await reader.delete(\`/${plural}/\${id}\`)).status).toBe(403);
  });
`;
}

function ownedCase({ plural }: Resource): string {
  return `  it('require a caller, and are those of their owner only', async () => {
    const made = await make();
    const place = \`/${plural}/\${made.id}\`;
    expect((await api().get('/${plural}')).status).toBe(401);
    for (const other of [reader, admin]) {
      const replies = [await other.get(place), await other.patch(place, {}), await other.delete(place)];
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect((await other.get('/${plural}?limit=100')).json.items).toEqual([]);
    }
    expect((await writer.get(place)).json).toEqual(made);
  });
`;
}

/** Invalid values of a field. Null is one for a required field. */
export function wrong(resource: Resource, field: Field): string {
  const { wrong: values } = factsOf(resource, field);
  return `${field.name}: [${[...values, ...(field.isNullable ? [] : ['null'])].join(', ')}]`;
}

/** A field whose sample needs nothing else. */
function firstPlain({ fields }: Resource): Field {
  const first = fields.find(({ target }) => target === undefined);
  if (first === undefined) throw new TypeError('a resource needs a field that is not a ref');
  return first;
}

/** The test of the orders. The order of texts is that of the database, so both directions are compared. */
export function orders(resource: Resource): string {
  const sorts = sortsOf(resource).map(({ name }) => `'${name}'`);
  if (sorts.length === 0) return '';
  const { plural } = resource;
  return `
  it.each([${sorts.join(', ')}])('are sorted by %s, in both directions', async (field) => {
    await make();
    await make();
    const valuesBy = async (sort: string) => {
      const { json } = await writer.get(\`/${plural}?limit=100&sort=\${sort}\`);
      return json.items.map((item: Record<string, unknown>) => item[field]).filter((value: unknown) => value !== null);
    };
    const [ascending, descending] = [await valuesBy(field), await valuesBy(\`-\${field}\`)];
    expect(new Set(ascending).size).toBeGreaterThan(1);
    expect(descending).toEqual(ascending.toReversed());
  });
`;
}

/** The test of the filters. */
export function filters(resource: Resource): string {
  const names = filtersOf(resource).map(({ name }) => `'${name}'`);
  if (names.length === 0) return '';
  const { plural } = resource;
  return `
  it.each([${names.join(', ')}])('are filtered by %s', async (field) => {
    const [{ [field]: value }] = [await make(), await make()];
    const { json } = await writer.get(\`/${plural}?limit=100&\${field}=\${encodeURIComponent(value)}\`);
    expect(new Set(json.items.map((item: Record<string, unknown>) => item[field]))).toEqual(new Set([value]));
  });
`;
}

/** The test of the optional fields. */
export function nullables({ plural, fields }: Resource): string {
  const nothing = fields.filter(({ isNullable }) => isNullable).map(({ name }) => `${name}: null`);
  if (nothing.length === 0) return '';
  return `
  it('may lack optional fields', async () => {
    const nothing = { ${nothing.join(', ')} };
    const { id } = await make();
    expect((await writer.patch(\`/${plural}/\${id}\`, nothing)).json).toMatchObject(nothing);
    const sparse = { ...(await newBody()), ${nothing.join(', ').replaceAll('null', 'undefined')} };
    expect((await writer.post('/${plural}', sparse)).json).toMatchObject(nothing);
  });
`;
}

/** The test of the fields with a default. */
export function initials({ plural, fields }: Resource): string {
  const initial = fields.filter((field) => initialText(field) !== undefined);
  if (initial.length === 0) return '';
  const members = initial.map((field) => `${field.name}: ${initialText(field)}`);
  return `
  it('have defaults', async () => {
    const initial = { ${members.join(', ')} };
    const sparse = { ...(await newBody()), ${initial.map(({ name }) => `${name}: undefined`).join(', ')} };
    expect((await writer.post('/${plural}', sparse)).json).toMatchObject(initial);
  });
`;
}

/** The test of the unique fields. A value of another owner is not one, which a 409 would reveal. */
export function uniques({ plural, pascal, fields, isOwned }: Resource): string {
  const unique = fields.filter(({ isUnique }) => isUnique).map(({ name }) => name);
  if (unique.length === 0) return '';
  return `
  it.each([${unique.map((name) => `'${name}'`).join(', ')}] as const)('reject a %s that is taken${isOwned ? ' by the caller, and none that another has' : ''}', async (field) => {
    const [taken, { id }] = [await newBody(), await make()];
    await writer.post('/${plural}', taken);
    const again = await writer.post('/${plural}', { ...(await newBody()), [field]: taken[field] });
    expect([again.status, again.json.message]).toEqual([409, \`\${field} is already taken\`]);
    expect((await writer.patch(\`/${plural}/\${id}\`, { [field]: taken[field] })).status).toBe(409);${
      isOwned
        ? `
    const caller = await api.newcomer();
    const same = { ...(await ${sampleName({ pascal })}({ caller, admin })), [field]: taken[field] };
    expect((await caller.post('/${plural}', same)).status).not.toBe(409);`
        : ''
    }
  });
`;
}

/** The tests of the references. Of an owned resource, the reader's own reference is unknown to the writer if it is owned too. */
export function references(resource: Resource): string {
  const { plural, pascal, isOwned } = resource;
  const refs = refsOf(resource);
  const message = `${refs.map(({ name }) => name).join(' or ')} does not exist`;
  return refs
    .map(({ name, target }) => {
      const foreign =
        isOwned && target.isOwned
          ? `
    const { ${name} } = await ${sampleName({ pascal })}({ caller: reader, admin });
    expect((await writer.post('/${plural}', { ...valid, ${name} })).status).toBe(422);
    expect((await writer.patch(\`/${plural}/\${(await make()).id}\`, { ${name} })).status).toBe(422);`
          : '';
      return `
  it('reject an unknown ${name}${foreign && ', and that of another'}', async () => {
    const valid = await newBody();
    const unknown = await writer.post('/${plural}', { ...valid, ${name}: Number.MAX_SAFE_INTEGER });
    expect([unknown.status, unknown.json.message]).toEqual([422, '${message}']);${foreign}
  });
`;
    })
    .join('');
}
