import pg from 'pg'

/** Times stay the text that the database writes; columns.ts reads them. */
const asWritten = (value: string) => value
const { TIMESTAMP, TIMESTAMPTZ, DATE, INTERVAL } = pg.types.builtins
const times = new Set<number>([TIMESTAMP, TIMESTAMPTZ, DATE, INTERVAL, 1115, 1182, 1185, 1187]) // and arrays of them
export const serverTypes: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format: 'text') =>
    times.has(type) ? asWritten : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
}
