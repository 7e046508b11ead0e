import { readFileSync } from 'node:fs';
import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { Controller, Get, Post } from '@nestjs/common';
import { describeRoute } from '../src/contract/describe-route';
import { librarySchemas } from '../src/schema';
import {
  admissionFaults,
  columnFaults,
  exportedColumnFaults,
  exportFaults,
  type FaultPlaces,
  leakFaults,
  lockFaults,
  orderFaults,
  withPlaces,
} from './promise-faults';

const tables = librarySchemas.flatMap((schema) => schema.tables);
const file = 'libs/service/testing/promise-faults.spec.ts';

@Controller('notes')
@Public()
class NotesController {
  @Get()
  @Returns('nothing')
  list() {}

  @Post()
  @Returns('nothing')
  create() {}
}

const routes = (['list', 'create'] as const).flatMap((name) =>
  describeRoute(
    {
      controller: NotesController,
      name,
      handler: NotesController.prototype[name],
      method: name === 'list' ? 'GET' : 'POST',
      paths: ['/notes'],
      isIdempotent: false,
      hasEntityTag: false,
      ifMatch: undefined,
      deprecation: undefined,
    },
    { application: 'notes', strategies: [], scopedStrategies: [], stripsUnknown: false },
  ),
);
const withRoutes = <T>(find: (places: FaultPlaces) => T) => withPlaces(routes, find);
const lineOf = (handler: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.startsWith(`  ${handler}()`)) + 1;

describe('a broken promise', () => {
  it('names the line of a table, and what to add there', () => {
    const at = { file: 'libs/accounts/src/audit/audit-event.table.ts', line: expect.any(Number) };
    expect(columnFaults(['auditEvent.color', 'auditEvent.kind', 'note.id'], tables)).toMatchObject([
      { at, remedy: expect.stringContaining("Add color: 'open' to secrecy") },
      { at, remedy: expect.stringContaining('Add a migration') },
      { remedy: expect.stringContaining("defineTable('note', …)") },
    ]);
    expect(exportedColumnFaults(['auditEvent.color'], ['auditEvent.kind'])).toMatchObject([
      { at, remedy: expect.stringContaining("without: { color: '…' }") },
      { at, remedy: 'Remove it from without' },
    ]);
    const exported = [{ name: 'auditEvent', part: 'events' }];
    expect(
      exportFaults({ tables: exported, parts: new Set(['notes']), silent: ['auditEvent'] }),
    ).toMatchObject([
      { at, remedy: expect.stringContaining("exportPart(Store, { name: 'events'") },
      { subject: 'notes', remedy: expect.stringContaining("exported: { part: 'notes' }") },
      { at, remedy: expect.stringContaining("exported: { not: 'the reason' }") },
    ]);
  });

  it('names the line of a handler, and what to do', () => {
    const [list, create] = ['list', 'create'].map((handler) => ({ file, line: lineOf(handler) }));
    expect(
      withRoutes((places) => orderFaults(['/notes?sort=title', '/notes?sort=title'], places)),
    ).toMatchObject([
      { subject: 'GET /notes?sort=title', at: list, remedy: expect.stringContaining('index') },
    ]);
    expect(
      withRoutes((places) => admissionFaults([{ route: 'POST /notes', status: 200 }], places)),
    ).toMatchObject([{ at: create, problem: 'it answers 200 without credentials' }]);
    const leaks = [
      { what: 'note.secret', where: 'GET /notes as nobody: body' },
      { what: 'note.secret', where: 'the log' },
    ];
    expect(withRoutes((places) => leakFaults(leaks, places))).toMatchObject([
      { at: list, remedy: expect.stringContaining('shown-once') },
      { at: undefined, remedy: expect.stringContaining('Log an id') },
    ]);
    const exposure = { audience: 'anyone', strategies: [], roles: [], accepts: {}, sends: [] } as const;
    expect(withRoutes((places) => lockFaults({}, { 'GET /notes': exposure }, places))).toMatchObject([
      { at: list, remedy: expect.stringContaining('npm run generate') },
    ]);
  });
});
