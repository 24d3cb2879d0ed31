import { PAGE, type PageQuery } from '@balcao/contract/kit.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import { and, type Column, or, type SQL, sql as tag } from '../postgres/sql.ts'
import { peopleIn, wordsIn } from './sought.ts'

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

/** Rows that hold each word of a search in one of the columns, whatever its case and accents; all rows when there are no words. */
export function containing(searchParam = '', ...columns: Column[]): SQL | undefined {
  const inAny = (like: string) => columns.map(column => tag`folded(${column}) like ${like}`)
  return and(...wordsIn(searchParam).map(spellings => or(...spellings.flatMap(inAny))))
}

/** As `containing`, also in the number; and where the search is a number, rows whose number it is in any spelling. */
export function containingNumber(searchParam = '', number: Column, ...columns: Column[]): SQL | undefined {
  const { numbers } = peopleIn(searchParam)
  return or(containing(searchParam, number, ...columns), ...numbers.map(like => tag`${number} like ${like}`))
}
