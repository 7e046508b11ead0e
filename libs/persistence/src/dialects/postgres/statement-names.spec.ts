import { StatementNames } from './statement-names';

describe('names of prepared statements', () => {
  it('are unique for each text, up to a maximum', () => {
    const names = new StatementNames(200);
    const chosen = Array.from({ length: 1000 }, (_, at) => names.nameFor(`select ${at}`, 0));
    expect(new Set(chosen.filter((name) => name !== undefined)).size).toBe(200);
    expect(names.nameFor('select 7', 0)).toBe(chosen[7]);
  });

  it('are not used for long lists, transaction control or forgotten statements', () => {
    const names = new StatementNames(200);
    expect(names.nameFor('select 1', 31)).toBeUndefined();
    expect(names.nameFor('commit', 0)).toBeUndefined();
    expect(names.nameFor('select 1', 0)).toBeDefined();
    names.forget('select 1');
    expect(names.nameFor('select 1', 0)).toBeUndefined();
  });
});
