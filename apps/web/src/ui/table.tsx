import { Button } from '@mantine/core'
import { type MouseEvent, type ReactNode, type UIEvent, useEffect, useRef } from 'react'
import { texts } from '../platform/text.ts'
import { Late } from './late.tsx'
import classes from './table.module.css'

const useText = texts({
  again: ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
  failed: ['Não foi possível carregar.', 'It could not be loaded.', 'No se pudo cargar.'],
  actions: ['Ações', 'Actions', 'Acciones'],
})

export interface Column<Row> {
  /** Names the column for React; unique in its table. */
  key: string
  head: ReactNode
  cell(row: Row): ReactNode
  /** Numbers stand right; the last column of icons is `actions`. */
  kind?: 'text' | 'number' | 'actions'
  width?: number | string
}

/** What a paged query knows; the answer of TanStack's `useInfiniteQuery` fits as it is. */
export interface Paging {
  isPending: boolean
  isError: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
  refetch(): unknown
}

interface Props<Row> {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf(row: Row): string | number
  paging?: Paging
  /** Shown instead of rows when there are none. */
  empty?: ReactNode
  /** A click on a row; the same must be within reach of the keyboard in one of its cells. */
  onOpen?(row: Row): void
  /** Attributes that name a row to a test or a style. */
  mark?(row: Row): Record<`data-${string}`, string>
}

/** How near the end (px) the next page is asked for. */
const NEAR_END = 100
const SKELETONS = 8

/** A full-width list with a standing head; it loads on as one scrolls and never goes blank while it does. */
export function Table<Row>({ label, columns, rows, keyOf, paging, empty, onOpen, mark }: Props<Row>) {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const loadOn = () => {
    if (paging?.hasNextPage && !paging.isFetchingNextPage && !paging.isError) void paging.fetchNextPage()
  }
  const onScroll = ({ currentTarget: it }: UIEvent) =>
    it.scrollHeight - it.scrollTop - it.clientHeight < NEAR_END && loadOn()
  // A first page that does not fill the window offers nothing to scroll.
  useEffect(() => {
    const it = box.current
    if (it && rows.length > 0 && it.scrollHeight <= it.clientHeight + NEAR_END) loadOn()
  })
  const none = rows.length === 0
  return (
    <div ref={box} className={classes.box} onScroll={onScroll}>
      <table className={classes.table} aria-label={label} aria-busy={paging?.isPending ?? false}>
        <thead>
          <tr>
            {columns.map(({ key, head, kind, width }) => (
              <th key={key} scope="col" data-kind={kind} style={{ width }}>
                {kind === 'actions' ? <span className="sr-only">{head || t('actions')}</span> : head}
              </th>
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
                <td key={key} data-kind={kind} data-label={typeof head === 'string' ? head : undefined}>
                  {filled(cell(row))}
                </td>
              ))}
            </tr>
          ))}
          {(paging?.isPending || paging?.isFetchingNextPage) && (
            <Skeletons columns={columns.length} rows={none ? SKELETONS : 2} />
          )}
        </tbody>
      </table>
      {none && !paging?.isPending && !paging?.isError && empty}
      {paging?.isError && (
        <p className={classes.failed} role="alert">
          {t('failed')}
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

/** Selecting a text of the row, or pressing something within it, is not a click on the row. */
const opens = ({ target }: MouseEvent) =>
  !(target as Element).closest('a, button, input, label') && getSelection()?.isCollapsed !== false

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
