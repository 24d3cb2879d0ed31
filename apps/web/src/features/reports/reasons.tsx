import { durationOf } from '@balcao/contract/reports.rules.ts'
import { Button, Group, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { whyNot } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { useMay } from '../../platform/session.tsx'
import { Table } from '../../ui/table.tsx'
import { Donut } from './charts.tsx'
import { Closings, ReportAsked } from './closings.tsx'
import { ReportSheet } from './report-sheet.tsx'
import { reasonsFor, saveReport, type Wanted } from './reports.api.ts'
import classes from './reports.module.css'
import { useSourcesText } from './reports.sources.text.ts'
import { useReportText } from './reports.text.ts'

/** What was closed in a range by the reason that was given, with the conversations behind. */
export function ReasonReport({ wanted }: { wanted: Wanted }) {
  const t = useReportText()
  const s = useSourcesText()
  const mayExport = useMay('tickets:showAll')
  const { data, isError, error } = useQuery(reasonsFor(wanted))
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  if (!data) return null
  const rows = data.reasons.map(one => ({ ...one, name: one.name || s('noReason') }))
  return (
    <ReportAsked value={wanted}>
      <ReportSheet>
        <Stack gap={16}>
          {mayExport && rows.length > 0 && (
            <Group gap={8}>
              {(['xlsx', 'csv'] as const).map(format => (
                <Button
                  key={format}
                  variant="default"
                  leftSection={<IconDownload size={16} aria-hidden />}
                  onClick={() => void saveReport(wanted, { what: 'reasons', format }, s('reasons'))}
                >
                  {format.toUpperCase()}
                </Button>
              ))}
            </Group>
          )}
          <div className={rows.length > 0 ? classes.sides : undefined}>
            {rows.length > 0 && (
              <div className={classes.charts}>
                <Donut
                  label={s('reasons')}
                  slices={rows.map(({ id, name, closed }) => ({ key: id, label: name, value: closed }))}
                />
              </div>
            )}
            <div className={classes.tables}>
              <Table
                label={s('reasons')}
                rows={rows}
                keyOf={({ id }) => id}
                empty={s('noReasons')}
                columns={[
                  {
                    key: 'name',
                    head: s('reason'),
                    kind: 'name',
                    cell: ({ name }) => name,
                    by: ({ name }) => name,
                    total: t('total'),
                  },
                  {
                    key: 'closed',
                    head: t('closed'),
                    kind: 'number',
                    cell: one => (
                      <Closings name={one.name} narrowed={{ reasonId: one.id }} count={one.closed} />
                    ),
                    by: ({ closed }) => closed,
                    total: whole(data.closed),
                  },
                  {
                    key: 'percent',
                    head: s('share'),
                    kind: 'number',
                    cell: ({ percent }) => `${percent}%`,
                    by: ({ percent }) => percent,
                  },
                  {
                    key: 'time',
                    head: s('lasted'),
                    kind: 'number',
                    cell: ({ seconds }) => durationOf(seconds),
                    by: ({ seconds }) => seconds,
                  },
                ]}
              />
            </div>
          </div>
        </Stack>
      </ReportSheet>
    </ReportAsked>
  )
}
