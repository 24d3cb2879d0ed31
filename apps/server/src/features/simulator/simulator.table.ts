import type { Media } from '@balcao/contract/media.ts'
import type { Typing } from '@balcao/contract/messages.ts'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { whatsapps } from '../connections/connections.table.ts'

/** The simulated network: what its phones sent and received. Rows wait here until the driver has reported them. */
export const simulatorMessages = pgTable(
  'simulator_messages',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    number: text('number').notNull(),
    name: text('name').notNull().default(''),
    externalId: text('external_id').notNull(),
    /** True when the company wrote it. */
    fromMe: boolean('from_me').notNull(),
    body: text('body').notNull(),
    /** Content other than text; of kinds other than `message` are operations on a message. */
    content: jsonb('said').notNull().$type<PhoneContent>().default({ kind: 'message' }),
    ack: integer('ack').notNull().default(2),
    /** The ack that the driver reported last; a message of a customer is not reported at 0. */
    reportedAck: integer('told_ack').notNull().default(2),
    /** How often it was sent to the phone: repeated copies are dropped and counted. */
    copies: integer('copies').notNull().default(1),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('simulator_messages_external').on(table.companyId, table.whatsappId, table.externalId),
    index('simulator_messages_chat').on(table.companyId, table.whatsappId, table.number, table.id),
    index('simulator_messages_shown')
      .on(table.companyId, table.whatsappId, table.id)
      .where(sql`${table.content}->>'kind' = 'message'`),
    index('simulator_messages_untold')
      .on(table.companyId, table.whatsappId, table.id)
      .where(sql`${table.reportedAck} < ${table.ack}`),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

export type PhoneContent =
  | {
      kind: 'message'
      mediaType?: string
      media?: Media
      /** Key of the file in the store. */
      key?: string
      data?: object
      quotedId?: string
      isForwarded?: boolean
      /** State on the phone. */
      reactions?: { emoji: string; fromMe: boolean }[]
      isDeleted?: boolean
      isPinned?: boolean
      isEdited?: boolean
    }
  | { kind: 'reaction' | 'edit' | 'delete'; targetId: string; targetFromMe: boolean }
  | { kind: 'vote'; targetId: string; targetFromMe: boolean; choices: number[] }
  | { kind: 'typing'; state: Typing }

export const simulatorFaults = pgTable(
  'simulator_faults',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    kind: text('kind').notNull().$type<'offline' | 'slow' | 'reject' | 'none'>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId] }),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)
