import { jobOf } from '@app/persistence';
import { PicturesStore } from './pictures.store';

/** Removes the files of pictures whose account was removed, by `admin` too. */
export const picturesJob = jobOf('pictures', PicturesStore, (pictures) => ({
  run: ({ inBatches }) => inBatches((limit) => pictures.removeWithoutOwner(limit)),
}));
