import { Exclude, Expose } from 'class-transformer';
import type { Profiles } from '../profiles/profiles';
import type { AccountExport } from './account-export';

/** Adds the profile of an account, if the application has profiles: a list of one, or of none. */
export function addProfilePart(given: AccountExport, profiles: Profiles): AccountExport {
  const { exported } = profiles;
  if (exported === undefined) return given;

  @Exclude()
  class ExportedProfile {}
  for (const column of exported) Expose()(ExportedProfile.prototype, column);

  return given.add({
    name: 'profile',
    as: ExportedProfile,
    read: async (id) => {
      const row = (await profiles.read([id])).get(id);
      return row === undefined ? [] : [{ ...row, id }];
    },
  });
}
