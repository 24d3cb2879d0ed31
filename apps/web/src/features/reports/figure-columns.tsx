import {
  answerTime,
  durationOf,
  type Figures,
  serviceTime,
  waitTime,
} from '@balcao/contract/reports.rules.ts'
import type { ReactNode } from 'react'
import { whole } from '../../platform/numbers.ts'
import type { Column } from '../../ui/table.tsx'
import type { useReportText } from './reports.text.ts'

type Text = ReturnType<typeof useReportText>

/** Columns of figures with their totals; `closed` may link to the tickets behind the count. */
export function figureColumns<Row extends object>(
  t: Text,
  all: Figures | null,
  figuresOf: (row: Row) => Figures,
  closed: (row: Row) => ReactNode = row => whole(figuresOf(row).closed),
): Column<Row>[] {
  const time = (key: 'tma' | 'tme' | 'answer', of: (figures: Figures) => number | null): Column<Row> => ({
    ...{ key, head: t(key), kind: 'number', cell: row => durationOf(of(figuresOf(row))) },
    by: row => of(figuresOf(row)),
    ...(all && { total: durationOf(of(all)) }),
  })
  return [
    {
      key: 'closed',
      head: t('closed'),
      kind: 'number',
      cell: closed,
      by: row => figuresOf(row).closed,
      ...(all && { total: whole(all.closed) }),
    },
    time('tma', serviceTime),
    time('tme', waitTime),
    time('answer', answerTime),
  ]
}
