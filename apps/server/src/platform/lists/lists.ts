import { PAGE, type PageQuery } from '@balcao/contract/kit.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import { type Column, or, type SQL, sql as tag } from '../postgres/sql.ts'

/** One page of a list. One row more than it shows is read: it shows whether another page follows, without counting. */
export async function onePage<Row>(
  { pageNumber = 1 }: PageQuery,
  read: (limit: number, offset: number) => PromiseLike<Row[]>,
  size = PAGE,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const rows = await read(size + 1, (pageNumber - 1) * size)
  return { rows: rows.slice(0, size), hasMore: rows.length > size }
}

/** Matches in this column come before matches elsewhere, and first what begins with it. */
export const firstIn = (column: Column, searchParam = ''): SQL =>
  tag`nullif(position(${folded(searchParam.trim())} in folded(${column})), 0)`

/** Rows that hold the words of a search in one of the columns, whatever their case and accents; all rows when there are no words. */
export function containing(searchParam = '', ...columns: Column[]): SQL | undefined {
  const like = patternOf(searchParam)
  if (!like) return undefined
  return or(...columns.map(column => tag`folded(${column}) like ${like}`))
}

/** The words of a search as a pattern for folded columns; empty when there are none. */
export function patternOf(searchParam: string): string {
  const words = folded(searchParam.trim())
  return words && `%${words.replace(/[\\%_]/g, found => `\\${found}`)}%`
}
