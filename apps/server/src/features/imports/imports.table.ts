import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { sealedIn } from '../../platform/access/sealed.ts'
import type { ExternalId } from '../../platform/external.ts'
import { companyId } from '../../platform/postgres/columns.ts'
import { whatsapps } from '../connections/connections.table.ts'

/** Old messages as the network handed them over, until they are taken in; then they go. */
export const importMessages = pgTable(
  'import_messages',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** The network may hand over the same message twice. */
    key: text('key').notNull().$type<ExternalId>(),
    heard: text('heard').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('import_messages_key').on(table.companyId, table.whatsappId, table.key),
    index('import_messages_order').on(table.companyId, table.whatsappId, table.id),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/** How far the import of a connection has come. */
export const imports = pgTable(
  'imports',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    total: integer('total').notNull().default(0),
    done: integer('done').notNull().default(0),
    /** The network has handed over everything it will. */
    isWhole: boolean('is_whole').notNull().default(false),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId] }),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/** The source of a file, within the message. */
export const sealedOfImports = sealedIn(
  importMessages,
  { what: 'the file of an old message that is being imported', todo: '' },
  importMessages.heard,
)
