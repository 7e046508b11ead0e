import { firstTables } from './0001-first-tables';
import { sessions } from './0002-sessions';
import { apiKeys } from './0003-api-keys';
import { audit } from './0004-audit';
import { attempts } from './0005-attempts';
import { tokenGeneration } from './0006-token-generation';
import { administrators } from './0007-administrators';
import { refreshCounts } from './0008-refresh-counts';
import { familiarAddresses } from './0009-familiar-addresses';
import { orderSize } from './0010-order-size';
import { timeFloor } from './0011-time-floor';
import { rateCounts } from './0012-rate-counts';
import { mail } from './0013-mail';
import { type Columns, type MigrationContext } from './columns';

/** One schema change. */
export type Migration = (db: MigrationContext, columns: Columns) => Promise<void>;

/** Every migration by name, oldest first. A released migration is never changed: a new one is added. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-sessions': sessions,
  '0003-api-keys': apiKeys,
  '0004-audit': audit,
  '0005-attempts': attempts,
  '0006-token-generation': tokenGeneration,
  '0007-administrators': administrators,
  '0008-refresh-counts': refreshCounts,
  '0009-familiar-addresses': familiarAddresses,
  '0010-order-size': orderSize,
  '0011-time-floor': timeFloor,
  '0012-rate-counts': rateCounts,
  '0013-mail': mail,
};
