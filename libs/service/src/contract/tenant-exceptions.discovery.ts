import { Database } from '@app/persistence';
import type { INestApplicationContext } from '@nestjs/common';

/** Returns the reasons for a program's statements on all tenants' rows. */
export function describeTenantExceptions(app: INestApplicationContext): readonly string[] {
  const { tenantExceptions = [] } = app.get(Database, { strict: false }).connecting;
  return tenantExceptions.map(({ reason }) => reason);
}
