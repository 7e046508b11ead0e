import { exportPart } from '@app/accounts';
import { Picture } from './pictures.dto';
import { PicturesStore } from './pictures.store';

/** `pictures` of `GET /users/me/export`. */
export const picturesExport = exportPart(PicturesStore, {
  name: 'pictures',
  as: Picture,
  read: (pictures, accountId, slice) => pictures.list(accountId, slice),
});
