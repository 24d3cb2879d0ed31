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
import { companyId, instantColumn } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'
import { whatsapps } from '../connections/connections.table.ts'

/** The simulated network: what its phones wrote and were sent. Rows wait here until the driver has heard them. */
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
    /** What is not text; `kind` other than message are things done to a message, which no phone shows by themselves. */
    said: jsonb('said').notNull().$type<Said>().default({ kind: 'message' }),
    ack: integer('ack').notNull().default(2),
    /** The ack that the driver has already told; a written message counts as told at 0. */
    toldAck: integer('told_ack').notNull().default(2),
    /** How often it was sent to the phone: a network that drops copies still counts them. */
    copies: integer('copies').notNull().default(1),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('simulator_messages_external').on(table.companyId, table.whatsappId, table.externalId),
    index('simulator_messages_chat').on(table.companyId, table.whatsappId, table.number, table.id),
    index('simulator_messages_shown')
      .on(table.companyId, table.whatsappId, table.id)
      .where(sql`${table.said}->>'kind' = 'message'`),
    index('simulator_messages_untold')
      .on(table.companyId, table.whatsappId, table.id)
      .where(sql`${table.toldAck} < ${table.ack}`),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

export type Said =
  | {
      kind: 'message'
      mediaType?: string
      media?: Media
      /** Where the file is kept. */
      key?: string
      data?: object
      quotedId?: string
      isForwarded?: boolean
      /** How it stands on the phone by now. */
      reactions?: { emoji: string; fromMe: boolean }[]
      isDeleted?: boolean
      isEdited?: boolean
    }
  | { kind: 'reaction' | 'edit' | 'delete'; targetId: string; targetFromMe: boolean }
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
