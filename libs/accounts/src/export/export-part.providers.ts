import type { Slice } from '@app/paging';
import type { FactoryProvider, Type } from '@nestjs/common';
import { AccountExport } from './account-export';
import type { ExportPart } from './export-part';

/** A provider that adds a part to exports. */
export type ExportProvider = FactoryProvider & Pick<ExportPart<object>, 'name'>;

/** A part that is read from an application store. */
export interface StoredPart<Store, Sent extends object> extends Pick<ExportPart<Sent>, 'name' | 'as'> {
  readonly read: (store: Store, accountId: number, slice: Slice) => ReturnType<ExportPart<Sent>['read']>;
}

/**
 * Makes a provider that adds a part to account exports. An application store supplies its rows.
 *
 * @throws TypeError at start if two parts have the same name
 * @throws OpenWireClassError at start for a class that would send more than it exposes
 */
export function exportPart<Store, Sent extends object>(
  from: Type<Store>,
  { name, as, read }: StoredPart<Store, Sent>,
): ExportProvider {
  return {
    name,
    provide: `export of ${name}`,
    inject: [AccountExport, from],
    useFactory: (accountExport: AccountExport, store: Store) =>
      accountExport.add({ name, as, read: (accountId, slice) => read(store, accountId, slice) }),
  };
}
