import { exportPart } from '@app/accounts';
import { defineResource } from '@app/service';
import { PicturesController } from './pictures.controller';
import { Picture } from './pictures.dto';
import { picturesJob } from './pictures.job';
import { PicturesStore } from './pictures.store';
import { pictureTable } from './pictures.table';

/** An account's picture. */
export const pictures = defineResource({
  name: 'pictures',
  table: pictureTable,
  store: PicturesStore,
  controller: PicturesController,
  exports: [
    exportPart(PicturesStore, {
      name: 'pictures',
      as: Picture,
      read: (store, accountId, slice) => store.list(accountId, slice),
    }),
  ],
  jobs: [picturesJob],
});
