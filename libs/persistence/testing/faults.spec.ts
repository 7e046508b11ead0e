import { expectNoFaults, placeOfTable } from './faults';

describe('a fault of a promise', () => {
  it('names the file, the line and what to do', () => {
    const file = 'libs/accounts/src/audit/audit-event.table.ts';
    expect(placeOfTable('auditEvent')).toEqual({ file, line: expect.any(Number) });
    expect(placeOfTable('auditEvent', 'kind')?.line).toBeGreaterThan(placeOfTable('auditEvent')?.line ?? 0);
    expect(placeOfTable('nothing')).toBeUndefined();
    const fault = { subject: 'note.color', problem: 'it has no secrecy', remedy: 'Declare it' };
    expect(() => expectNoFaults([{ ...fault, at: { file, line: 7 } }, fault])).toThrow(
      `${file}:7  note.color\n  it has no secrecy\n  → Declare it\n\nnote.color\n  it has no secrecy\n  → Declare it`,
    );
    expect(() => expectNoFaults([])).not.toThrow();
  });
});
