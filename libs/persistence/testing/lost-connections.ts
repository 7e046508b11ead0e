import { type Database, openDatabase } from '../src/database/database';
import { defaultIds } from '../src/dialects/ids/default-ids';
import { type Ids } from '../src/schema/columns';
import { type ConflictingProxy, openConflictingProxy } from './conflicting-proxy';

/** Database handles that lose their connections at commits. */
export interface LostConnections {
  /** @param ids `sequence` for tests that insert no row with an id, because time-based ids are reserved by separate commits */
  open(ids?: Ids): Promise<Database>;
  readonly cutCommit: ConflictingProxy['cutCommit'];
}

/** Opens handles on the PostgreSQL database of the running test through a proxy, and closes them after the test. */
export function useLostConnections(current: { readonly url: string }): LostConnections {
  const handles: Database[] = [];
  let proxy: ConflictingProxy | undefined;
  afterEach(async () => {
    await Promise.all(handles.splice(0).map((db) => db.destroy()));
    await proxy?.stop();
    proxy = undefined;
  });
  return {
    async open(ids = defaultIds) {
      proxy ??= await openConflictingProxy(new URL(current.url), Number.POSITIVE_INFINITY);
      const db = openDatabase(proxy.url, { ids });
      handles.push(db);
      return db;
    },
    cutCommit: (when, nth) => proxy?.cutCommit(when, nth) ?? fail(),
  };
}

function fail(): never {
  throw new TypeError('no handle is open');
}
