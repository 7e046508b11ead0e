import type { TableDefinition } from '@app/persistence';
import { hiddenNames } from './leak-sweep';

const webhook: TableDefinition = {
  name: 'webhook',
  secrecy: { id: 'open', signingSecret: 'shown-once', sealedKey: 'secret', accountId: 'internal' },
  exported: 'nothing of an account',
};

describe('the names that a response must not have', () => {
  it('are those of the columns that its reader may not see', () => {
    expect(hiddenNames({ tables: [webhook] }, 'operators')).toEqual([
      'signingsecret',
      'sealedkey',
      'accountid',
    ]);
  });

  it('do not include what is shown once, when a request may have created the row', () => {
    expect(hiddenNames({ tables: [webhook], isWrite: true }, 'operators')).toEqual([
      'sealedkey',
      'accountid',
    ]);
  });

  it('do not include a column that another table shows', () => {
    const key: TableDefinition = { ...webhook, name: 'key', secrecy: { sealedKey: 'open' } };
    expect(hiddenNames({ tables: [webhook, key] }, 'open')).toEqual(['signingsecret', 'accountid']);
  });
});
