import type { ComponentType } from 'react'
import { type Column, Table } from '../table.tsx'
import { NoRows } from './list-states.tsx'
import type { Paging } from './load-on.ts'

interface Props<Row> {
  label: string
  columns: Column<Row>[]
  /** Of `useList` or `wholeList`. */
  list: Paging & { rows: Row[]; searchParam: string }
  icon: ComponentType<{ size: number }>
  /** Why there are no rows, and what to do about it. */
  none: string
  hint?: string
  onOpen?(row: Row): void
  mark?(row: Row): Record<`data-${string}`, string>
}

/** The rows of a list screen by their ids, and its state without any. */
export const ListTable = <Row extends { id: number | string }>({
  list,
  icon: Icon,
  none,
  hint,
  ...table
}: Props<Row>) => (
  <Table
    {...table}
    rows={list.rows}
    keyOf={row => row.id}
    paging={list}
    empty={<NoRows list={list} icon={<Icon size={26} />} title={none} {...(hint && { hint })} />}
  />
)
