import type { PublicSendResponse } from '@balcao/contract/publicApi.ts'
import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { apiTokens } from '../apiTokens/apiTokens.table.ts'

/**
 * Each message that a call sent, the first with its key: with its token it is the cause of the call's messages, and there
 * is no second.
 */
export const apiSends = pgTable(
  'api_sends',
  {
    companyId: companyId(),
    /** Also of its message. */
    id: uuid('id').notNull(),
    tokenId: integer('token_id').notNull(),
    /** Whose token it was; no foreign key: it outlives the user. */
    userId: integer('user_id'),
    /** The caller’s Idempotency-Key; null without one, and when a day is over. */
    key: text('key'),
    /** SHA-256 of what was asked for, in hexadecimal. */
    asked: text('asked').notNull(),
    answer: jsonb('answer').$type<PublicSendResponse>(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    /** A ticket that goes when its messages have left; no foreign key: it may be gone before. */
    destroys: integer('destroys'),
    /** How far the message had got when that ticket took it along. */
    ack: integer('ack'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('api_sends_key')
      .on(table.companyId, table.tokenId, table.key)
      .where(sql`${table.key} is not null`),
    index('api_sends_destroys').on(table.createdAt).where(sql`${table.destroys} is not null`),
    index('api_sends_old').on(table.createdAt),
    foreignKey({
      columns: [table.companyId, table.tokenId],
      foreignColumns: [apiTokens.companyId, apiTokens.id],
    }).onDelete('cascade'),
  ],
)
