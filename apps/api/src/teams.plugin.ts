import { organizations } from '@app/organizations';

/** The organizations, and the roles of their members. */
export const teams = organizations();
