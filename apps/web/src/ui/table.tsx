import { Button } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { whyNot } from '../platform/errors.text.ts'
import { texts } from '../platform/text.ts'
import { useFolded } from './folded.ts'
import { Late } from './late.tsx'
import { type Paging, useLoadOn } from './list-screen/load-on.ts'
import { SortButton, type SortValue, sortOf, useSorted } from './sorted.tsx'
import classes from './table.module.css'

const useText = texts({
  again: ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
  failed: ['Não foi possível carregar.', 'It could not be loaded.', 'No se pudo cargar.'],
  actions: ['Ações', 'Actions', 'Acciones'],
  more: ['Observação', 'Remark', 'Observación'],
})

export interface Column<Row> {
  /** Names the column for React; unique in its table. */
  key: string
  head: ReactNode
  cell(row: Row): ReactNode
  /**
   * Numbers are right-aligned; the last column of icons is `actions`; a long text fills the remaining room,
   * on one line; a name wraps rather than widen the table.
   */
  kind?: 'text' | 'number' | 'actions' | 'long' | 'name'
  width?: number | string
  /** What its heading sorts by; only of tables that have all their rows. Null is last. */
  by?(row: Row): SortValue
  /** Footer cell; a table where no column has one has no footer. */
  total?: ReactNode
}

interface Props<Row> {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf(row: Row): string | number
  paging?: Paging
  /** Shown instead of rows when there are none. */
  empty?: ReactNode
  /** A click on a row; the same action must be reachable by keyboard in one of its cells. */
  onOpen?(row: Row): void
  /** Attributes that name a row to a test or a style. */
  mark?(row: Row): Record<`data-${string}`, string>
}

const SKELETONS = 8

/** A full-width list with a sticky header; it loads more on scroll and never goes blank meanwhile. */
export function Table<Row>({ label, columns, rows: given, keyOf, paging, empty, onOpen, mark }: Props<Row>) {
  const t = useText()
  const { order, choose, rows } = useSorted(columns, given)
  const scroller = useLoadOn<HTMLDivElement>(paging)
  const none = rows.length === 0
  const { isFolded, room } = useFolded(scroller.ref, columns, rows.length)
  return (
    <div {...scroller} className={classes.box}>
      <table
        className={classes.table}
        data-folded={isFolded || undefined}
        data-room={room}
        data-sorts={columns.some(({ by }) => by) || undefined}
        aria-label={label}
        aria-busy={paging?.isPending ?? false}
      >
        <thead>
          <tr>
            {columns.map(column => (
              <Heading
                key={column.key}
                column={column}
                sorted={sortOf(order, column.key)}
                onSort={() => choose(column)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr
              key={keyOf(row)}
              data-opens={onOpen ? true : undefined}
              onClick={onOpen && (event => opens(event) && onOpen(row))}
              {...mark?.(row)}
            >
              {columns.map(({ key, head, cell, kind }) => (
                <td
                  key={key}
                  data-kind={kind}
                  data-label={typeof head === 'string' ? head : undefined}
                  data-left-out={(kind !== 'actions' && filled(cell(row)) === '—') || undefined}
                >
                  {kind === 'long' ? <Long>{cell(row)}</Long> : filled(cell(row))}
                </td>
              ))}
            </tr>
          ))}
          {(paging?.isPending || paging?.isFetchingNextPage) && (
            <Skeletons columns={columns.length} rows={none ? SKELETONS : 2} />
          )}
        </tbody>
        {!none && columns.some(({ total }) => total !== undefined) && <Totals columns={columns} />}
      </table>
      {none && !paging?.isPending && !paging?.isError && empty}
      {paging?.isError && (
        <p className={classes.failed} role="alert">
          {whyNot(paging.error, t('failed'))}
          <Button
            variant="default"
            size="xs"
            onClick={() => void (none ? paging.refetch() : paging.fetchNextPage())}
          >
            {t('again')}
          </Button>
        </p>
      )}
    </div>
  )
}

function Heading<Row>({
  column: { head, kind, width, by },
  sorted,
  onSort,
}: {
  column: Column<Row>
  sorted: ReturnType<typeof sortOf>
  onSort(): void
}) {
  const t = useText()
  return (
    <th scope="col" data-kind={kind} style={{ width }} aria-sort={sorted}>
      {kind === 'actions' || head === '' ? (
        <span className="sr-only">{head || t(kind === 'actions' ? 'actions' : 'more')}</span>
      ) : by ? (
        <SortButton sorted={sorted} onSort={onSort}>
          {head}
        </SortButton>
      ) : (
        head
      )}
    </th>
  )
}

function Totals<Row>({ columns }: { columns: Column<Row>[] }) {
  return (
    <tfoot>
      <tr>
        {columns.map(({ key, head, kind, total }) => (
          <td
            key={key}
            data-kind={kind}
            data-label={typeof head === 'string' ? head : undefined}
            data-left-out={total === undefined || undefined}
          >
            {total}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

/** Selecting a text of the row, or pressing something within it, is not a click on the row. */
const opens = ({ target }: MouseEvent) =>
  !(target as Element).closest('a, button, input, label') && getSelection()?.isCollapsed !== false

/** One line with the whole text as its tooltip. */
function Long({ children }: { children: ReactNode }) {
  return (
    <span className={classes.long} title={typeof children === 'string' ? children : undefined}>
      {filled(children)}
    </span>
  )
}

const filled = (cell: ReactNode) =>
  cell === '' || cell === null || cell === undefined || cell === false ? '—' : cell

function Skeletons({ columns, rows }: { columns: number; rows: number }) {
  return (
    <Late>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <tr key={row} aria-hidden>
          <td colSpan={columns}>
            <span className={classes.block} />
          </td>
        </tr>
      ))}
    </Late>
  )
}
