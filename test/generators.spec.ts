import { makeField } from '../tools/create/field/make-field.mts';
import { readNames } from '../tools/create/names.mts';
import { makeResource } from '../tools/create/resource/make-resource.mts';
import { makeRule } from '../tools/create/rule/make-rule.mts';
import { sampleName } from '../tools/create/resource/resource.mts';
import { samplePath } from '../tools/create/resource/places.mts';

const newResource = ([name, ...fields]: readonly string[]) =>
  makeResource({ name, fields, isOwned: false }).path;

describe('a name of an application or a library', () => {
  it.each([
    ['api', 'api is taken: see "projects" in nest-cli.json'],
    ['Back_Office', '"Back_Office" is not a valid name: lowercase words, joined by dashes'],
    [undefined, 'a name is missing: lowercase words, joined by dashes'],
  ])('is rejected: %j', (name, reason) => {
    expect(() => readNames(name, ['api'])).toThrow(reason);
  });
});

describe('a new rule', () => {
  const newRule = ([name, pattern, example]: readonly string[], app = 'api') =>
    makeRule({ app, name, pattern, example });

  it('has a spec with texts that its pattern does not accept', () => {
    const { path, draft } = newRule(['is-code', '^[a-z]/?$', 'b/']);
    expect(draft.read(`${path}.ts`)).toContain('const PATTERN = /^[a-z]\\/?$/u;');
    expect(draft.read(`${path}.spec.ts`)).toContain("it.each([undefined, null, 7, '', ' ', '-1'])");
  });

  it.each([
    [[], 'a name is missing: lowercase words'],
    [['isSku', '^a$', 'a'], '"isSku" is not a valid name'],
    [['is-sku'], "a pattern is missing, such as '^[A-Z]{3}-[0-9]{2}$', and an example"],
    [['is-sku', '['], '[ is not a pattern'],
    [['is-sku', '^a$'], '"" is not an example: ^a$ does not accept it'],
    [['is-sku', '^a$', 'b'], '"b" is not an example: ^a$ does not accept it'],
    [['is-sku', '.', '${x}'], 'an example is of letters, digits and marks'],
  ])('is rejected: %j', (order, reason) => {
    expect(() => newRule(order)).toThrow(reason);
  });

  it('needs an application', () => {
    expect(() => newRule(['is-sku', '^a$', 'a'], 'shop')).toThrow('there is no application shop');
  });
});

describe('a new resource', () => {
  it.each([
    [[], 'a name is missing: lowercase words'],
    [['ticket'], 'a resource needs at least one field, such as title:text'],
    [
      ['ticket', 'title'],
      '"title" is not a field: name:type, with ?, :unique or =value after it; types: text, integer, boolean, timestamp, date, decimal, json, one-of(open,done), ref:projects, list(name:text,quantity:integer)',
    ],
    [['ticket', 'id:integer'], 'a field cannot be called id'],
    [['ticket', 'class:text'], 'a field cannot be called class'],
    [['ticket', 'title:text', 'title:integer'], 'the field title is given twice'],
    [['ticket', 'due:timestamp'], 'due:timestamp: the name of a timestamp ends with At, such as dueAt'],
    [['ticket', 'open:boolean'], 'open:boolean: the name of a boolean starts with is, such as isOpen'],
    [['ticket', 'shop:ref:shops'], 'ref:shops: there is no resource shops with a table'],
    [['ticket', 'item:ref:items'], 'apps/api/testing/samples/item.ts is missing'],
    [['tickets', 'title:text'], 'tickets is a plural: give the singular, such as ticket'],
    [['equipment', 'title:text'], 'equipment has no plural: give one by --plural'],
    [['ticket', 'status:one-of(a,b):unique'], 'a choice cannot be unique'],
    [['item', 'title:text'], 'apps/api/src/items already exists'],
    [['date', 'title:text'], 'a class Date would shadow an existing Date'],
  ])('is rejected: %j', (given, reason) => {
    expect(() => newResource(given)).toThrow(reason);
  });

  it('has files, a migration and a path', () => {
    const { path, migration, draft } = makeResource({
      name: 'ticket',
      fields: ['title:text'],
      isOwned: false,
    });
    expect([path, migration]).toEqual(['/tickets', expect.stringMatching(/^\d{4}-tickets$/)]);
    expect(draft.read('apps/api/src/tickets/tickets.table.ts')).toContain(`'${migration}': {`);
  });
});

describe('the text of a new resource', () => {
  it.each([
    ['Task', 'aTask'],
    ['Invoice', 'anInvoice'],
    ['User', 'aUser'],
    ['Umbrella', 'anUmbrella'],
    ['Event', 'anEvent'],
    ['Hour', 'anHour'],
    ['OneTimeCode', 'aOneTimeCode'],
    ['UnitPrice', 'aUnitPrice'],
    ['EuroAmount', 'aEuroAmount'],
  ])('has the article of %s', (pascal, name) => {
    expect(sampleName({ pascal })).toBe(name);
  });

  it('says why it has no order by a decimal', () => {
    const { note, draft } = makeResource({
      name: 'invoice',
      fields: ['title:text', 'total:decimal'],
      isOwned: false,
    });
    expect(note).toMatch(
      /^the list is neither sorted nor filtered by total: decimals are stored as exact texts/,
    );
    expect(draft.read(samplePath({ app: 'api', kebab: 'invoice' }))).toContain(
      'export async function anInvoice(',
    );
    expect(draft.read('apps/api/src/invoices/invoices.dto.ts')).toContain("@Sortable(Invoice, 'title')");
  });
});

describe('a field of a resource', () => {
  it.each([
    [['rank:integer'], ['rank=one'], '=one is not a default of integer'],
    [['rank:integer'], ['rank'], '--default rank is not a default: name=value, such as priority=0'],
    [['rank:integer'], ['rung=1'], '--default rung: no field of this name is added'],
    [['rank:integer?'], ['rank=1'], '--default rank=1: rank:integer? needs none, because it is not required'],
    [['code:text:unique'], ['code=a'], 'code:text:unique is required, and rows that are there already'],
  ])('has no such default: %j %j', (given, defaults, reason) => {
    expect(() => makeField('posts', given, defaults)).toThrow(reason);
  });

  it.each([
    [undefined, [], 'the path of a resource is missing, such as tasks'],
    ['boats', ['name:text?'], 'there is no resource boats: it needs a table, and apps/api/src/boats/'],
    ['items', [], 'a field is missing, such as dueOn:date?'],
    ['posts', ['slug:text?'], 'posts have slug already'],
    [
      'items',
      ['rank:integer'],
      'rank:integer is required, and rows that are there already would have no value: give those rows one by --default rank=0, those rows and bodies that lack it by rank:integer=0, or make it optional, rank:integer?',
    ],
  ])('is rejected: %s %j', (path, given, reason) => {
    expect(() => makeField(path, given)).toThrow(reason);
  });
});
