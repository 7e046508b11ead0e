import { jobOf } from '@app/persistence';
import { PicturesStore } from './pictures.store';

/** Removes the picture files of accounts that `api` or `admin` removed. */
export const picturesJob = jobOf('pictures', PicturesStore, (pictures) => ({
  run: ({ inBatches }) => inBatches((limit) => pictures.removeWithoutOwner(limit)),
}));
