import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMay } from '../../platform/session.tsx'
import { ReportAction } from './report-action.tsx'
import { saveReport, type Wanted } from './reports.api.ts'
import { useReportText } from './reports.text.ts'

const FILES = [
  ['figuresXlsx', 'figures', 'xlsx'],
  ['figuresCsv', 'figures', 'csv'],
  ['servicesXlsx', 'services', 'xlsx'],
  ['servicesCsv', 'services', 'csv'],
] as const

/** Downloads the report: its figures, or all closed tickets behind them. */
export function SaveReport({ wanted }: { wanted: Wanted }) {
  const t = useReportText()
  if (!useMay('tickets:showAll')) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ReportAction label={t('save')} icon={<IconDownload size={16} aria-hidden />} />
      </Menu.Target>
      <Menu.Dropdown>
        {FILES.map(([label, what, format]) => (
          <Menu.Item key={label} onClick={() => void saveReport(wanted, { what, format }, t('fileName'))}>
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
