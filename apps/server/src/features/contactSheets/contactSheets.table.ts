import type {
  ContactSheet,
  KnownPolicy,
  RowFault,
  SheetFault,
  SheetRow,
  TwoReadings,
} from '@balcao/contract/contactSheets.ts'
import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import type { MoreOfRow } from './contactSheets.rules.ts'

/** Uploaded spreadsheets of contacts. One at a time of a company is read or imported. */
export const contactSheets = pgTable(
  'contact_sheets',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** Who uploaded it; no foreign key: it may outlast its user. */
    userId: integer('user_id'),
    fileName: text('file_name').notNull(),
    state: text('state').notNull().default('reading').$type<ContactSheet['state']>(),
    fault: text('fault').$type<SheetFault>(),
    faultRow: integer('fault_row'),
    header: jsonb('header').notNull().default([]).$type<string[]>(),
    sample: jsonb('sample').notNull().default([]).$type<string[][]>(),
    columns: jsonb('columns')
      .notNull()
      .default({ name: null, number: null, email: null, owner: null })
      .$type<ContactSheet['columns']>(),
    policy: text('policy').notNull().default('fill').$type<KnownPolicy>(),
    twoReadings: text('two_readings').notNull().default('refuse').$type<TwoReadings>(),
    categoryIds: jsonb('category_ids').notNull().default([]).$type<number[]>(),
    rows: integer('rows').notNull().default(0),
    fresh: integer('fresh').notNull().default(0),
    known: integer('known').notNull().default(0),
    doubled: integer('doubled').notNull().default(0),
    refused: integer('refused').notNull().default(0),
    ambiguous: integer('ambiguous').notNull().default(0),
    done: integer('done').notNull().default(0),
    /** The last imported row, where a crashed try continues. */
    reached: integer('reached').notNull().default(0),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('contact_sheets_one_under_way')
      .on(table.companyId)
      .where(sql`${table.state} in ('reading', 'running')`),
  ],
)

/** Their rows, with what becomes of each. */
export const contactSheetRows = pgTable(
  'contact_sheet_rows',
  {
    companyId: companyId(),
    sheetId: integer('sheet_id').notNull(),
    row: integer('row').notNull(),
    cells: jsonb('cells').notNull().$type<string[]>(),
    name: text('name').notNull().default(''),
    number: text('number').notNull().default(''),
    email: text('email').notNull().default(''),
    key: text('key').notNull().default(''),
    state: text('state').notNull().default('fresh').$type<SheetRow['state']>(),
    fault: text('fault').$type<RowFault>(),
    /** What an exported list holds besides; null where it holds nothing. */
    more: jsonb('more').$type<MoreOfRow>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.sheetId, table.row] }),
    index('contact_sheet_rows_key').on(table.companyId, table.sheetId, table.key, table.row),
    foreignKey({
      columns: [table.companyId, table.sheetId],
      foreignColumns: [contactSheets.companyId, contactSheets.id],
    }).onDelete('cascade'),
  ],
)
