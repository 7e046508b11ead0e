import { type Field, readField, readFields } from '../tools/create/resource/fields.mts';
import { indexesOf } from '../tools/create/resource/lists.mts';
import type { Resource } from '../tools/create/resource/resource.mts';
import { storeFile } from '../tools/create/resource/store-file.mts';
import { controllerFile } from '../tools/create/resource/controller-file.mts';
import { dtoFile, received } from '../tools/create/resource/dto-file.mts';
import { addColumn, memberOf } from '../tools/create/resource/table-files.mts';
import { controllerEdit } from '../tools/create/field/controller-edits.mts';
import { addedPairs, dtoEdit } from '../tools/create/field/dto-edits.mts';
import { storeEdit } from '../tools/create/field/store-edits.mts';
import { edited, parse, type SourceEdit } from '../tools/create/source/syntax.mts';

const projects = {
  plural: 'projects',
  table: 'project',
  camel: 'project',
  pascal: 'Project',
  owner: 'account',
} as const;
const targetOf = () => projects;

const tasks: Resource = {
  app: 'api',
  kebab: 'task',
  camel: 'task',
  pascal: 'Task',
  plural: 'tasks',
  pluralPascal: 'Tasks',
  table: 'task',
  owner: 'account',
  fields: readFields(['title:text', 'status:one-of(open,done)'], targetOf),
};

const day = readField('dueOn:date?', targetOf);
const reference = readField('project:ref:projects?', targetOf);
const code = readField('code:text?:unique', targetOf);

describe('a field that is added to a resource', () => {
  it('leaves what people have changed, and is added beside it', () => {
    const written = storeFile(tasks)
      .replace('async remove(', '/** Ours. */\n  async archive() {}\n\n  async remove(')
      .replace('createdAt: new Date() }', "createdAt: new Date(), source: 'ours' }")
      .replace('const changes = {', 'this.log();\n    const changes = {');
    const text = edited(written, storeEdit(tasks, day));
    expect(text).toContain('/** Ours. */');
    expect(text).toContain('this.log();');
    expect(text).toContain("dueOn: dueOn ?? null, createdAt: new Date(), source: 'ours' }");
    expect(text).toContain('const changes = { title, status, dueOn }');
  });

  it.each([
    ['store', storeFile, storeEdit, reference],
    ['controller', controllerFile, controllerEdit, code],
    ['wire classes', dtoFile, dtoEdit, readField('size:one-of(s,l)=s', targetOf)],
    [
      'wire classes of a list',
      dtoFile,
      dtoEdit,
      readField('lines:list(name:text,kind:one-of(a,b))', targetOf),
    ],
    ['store of JSON', storeFile, storeEdit, readField('settings:json?', targetOf)],
  ])('is added to the %s once', (_file, make, edit, field) => {
    const once = edited(make(tasks), edit(tasks, field));
    expect(once).not.toBe(make(tasks));
    expect(edited(once ?? '', edit(tasks, field))).toBe(once);
  });

  it.each([
    [
      'a store that writes its rows elsewhere',
      storeEdit(tasks, day),
      storeFile,
      ['.values({', '.values(rowOf({'],
      ['createdAt: new Date() }', 'createdAt: new Date() })'],
    ],
    [
      'a store that takes a body as a whole',
      storeEdit(tasks, day),
      storeFile,
      ['{ title, status }: CreateTask', 'body: CreateTask'],
    ],
    ['wire classes that are derived', dtoEdit(tasks, day), dtoFile, ['class UpdateTask', 'class ChangeTask']],
    [
      'a controller that inserts by another name',
      controllerEdit(tasks, reference),
      controllerFile,
      ['.insert(', '.create('],
    ],
  ] satisfies [string, readonly SourceEdit[], (resource: Resource) => string, ...[string, string][]][])(
    'is not added to %s',
    (_shape, edit, make, ...changes: [string, string][]) => {
      const text = changes.reduce((before, [from, to]) => before.replace(from, to), make(tasks));
      expect(text).not.toBe(make(tasks));
      expect(edited(text, edit)).toBeUndefined();
    },
  );

  it('is an error of the caller, if it refers to nothing or is taken', () => {
    const reviewer = readField('reviewer:ref:projects?', targetOf);
    const text = [reference, reviewer, code].reduce(
      (before, field) => edited(before, controllerEdit(tasks, field)) ?? '',
      controllerFile(tasks),
    );
    const called =
      "unlessTaken('task_account_id_code_unique', 'code', unlessUnknown('projectId or reviewerId', this.tasks.insert(userId, body, db)))";
    expect(text).toContain(`await ${called};`);
    expect(text).toContain('@ErrorResponses(UnknownReferenceError, ValueConflictError)');
  });
});

describe('a field', () => {
  it('is required of bodies, if only rows that are there already are given a value', () => {
    const rank = { ...readField('rank:integer', targetOf), backfill: 1 };
    expect(addColumn(tasks, rank)).toContain("'rank', integer, (column) => column.notNull().defaultTo(1)");
    expect(memberOf(tasks, rank)).toContain('  rank: number;');
    expect(received(tasks, rank, 'create')).toContain('  rank!: number;');
  });

  it.each([
    ['count:integer=-1', -1],
    ['isOpen:boolean=false', false],
    ['size:one-of(s,l)=l', 'l'],
    ['startsOn:date=2026-02-28', '2026-02-28'],
    ['price:decimal=0.00', '0.00'],
    ['note:text=to be done', 'to be done'],
  ])('may have a default: %s', (argument, initial) => {
    expect(readField(argument, targetOf).initial).toBe(initial);
  });

  it.each([
    ['count:integer=one', '=one is not a default of integer'],
    ['count:integer=9007199254740993', '=9007199254740993 is not a default of integer'],
    ['size:one-of(s,l)=m', '=m is not a default of one-of'],
    ['startsOn:date=2026-02-30', '=2026-02-30 is not a default of date'],
    ["note:text=it's", "=it's is not a default of text"],
    ['startsAt:timestamp=now', 'a timestamp cannot have a default: make it optional, by ? after its type'],
    ['lines:list(name:text)?', 'a list that is not sent is empty, never null'],
    ['lines:list(at:list(a:text))', 'a part of a list has the types text, integer'],
    ['lines:list(name:text:unique)', 'and nothing unique'],
    ['settings:json:unique', 'a json cannot be unique'],
    ['project:ref:projects=1', 'a ref cannot have a default'],
    ['count:integer?=1', 'count:integer?=1: a field with a default is neither optional nor unique'],
  ])('is rejected: %s', (argument, reason) => {
    expect(() => readField(argument, targetOf)).toThrow(reason);
  });

  it('has an index with each filter and each order of the list that was there', () => {
    const pairs = (...fields: readonly Field[]) => {
      const dto = fields.reduce<string | undefined>(
        (text, field) => edited(text ?? '', dtoEdit(tasks, field)),
        dtoFile(tasks),
      );
      const controller = `unlessTaken('task_account_id_code_unique')`;
      return addedPairs({ ...tasks, fields }, { dto: parse(dto ?? ''), controller }).map(({ name }) => name);
    };
    expect(pairs(day)).toEqual(['task_account_id_status_due_on_id']);
    expect(pairs(reference)).toEqual(['task_account_id_project_id_title_id']);
    expect(pairs(day, reference)).toEqual([
      'task_account_id_status_due_on_id',
      'task_account_id_project_id_title_id',
      'task_account_id_project_id_due_on_id',
    ]);
    expect(pairs(code)).toEqual(['task_account_id_status_code_id']);
  });

  it('has an index of a name that PostgreSQL does not cut', () => {
    expect(indexesOf(tasks, day)).toEqual([
      { name: 'task_account_id_due_on_id', columns: ['account_id', 'due_on', 'id'] },
    ]);
    const long = readField(`${'very'.repeat(14)}:integer`, targetOf);
    expect(() => indexesOf(tasks, long)).toThrow('has more than 63 characters');
  });
});
