import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { htmlLanguage, language } from '../platform/text.ts'
import classes from './table.module.css'
import type { Column } from './table.tsx'

interface Order {
  key: string
  isDescending: boolean
}

/** The rows in the order that a heading chose; their own until then. */
export function useSorted<Row>(columns: Column<Row>[], rows: Row[]) {
  const [order, setOrder] = useState<Order | null>(null)
  const column = columns.find(({ key }) => key === order?.key)
  const choose = ({ key, kind }: Column<Row>) =>
    // of numbers the highest are looked for first
    setOrder(
      order?.key === key
        ? { key, isDescending: !order.isDescending }
        : { key, isDescending: kind === 'number' },
    )
  return { order, choose, rows: order && column?.by ? inOrder(rows, column.by, order.isDescending) : rows }
}

export type SortValue = number | string | null

function inOrder<Row>(rows: Row[], by: (row: Row) => SortValue, isDescending: boolean): Row[] {
  const { compare } = new Intl.Collator(htmlLanguage[language()], { numeric: true })
  return rows.toSorted((a, b) => {
    const [one, two] = [by(a), by(b)]
    // rows without a value are last in both directions
    if (one === null || two === null) return Number(one === null) - Number(two === null)
    const ascending =
      typeof one === 'number' && typeof two === 'number' ? one - two : compare(String(one), String(two))
    return isDescending ? -ascending : ascending
  })
}

export const sortOf = (order: Order | null, key: string) =>
  order?.key === key ? (order.isDescending ? 'descending' : 'ascending') : undefined

/** The heading of a column, as a button that sorts by it. */
export function SortButton({
  sorted,
  onSort,
  children,
}: {
  sorted: ReturnType<typeof sortOf>
  onSort(): void
  children: ReactNode
}) {
  const Icon = sorted === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <button type="button" className={classes.sort} data-sort onClick={onSort}>
      {children}
      <Icon size={14} aria-hidden data-shown={sorted !== undefined || undefined} />
    </button>
  )
}
