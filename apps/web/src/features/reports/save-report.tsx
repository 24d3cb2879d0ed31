import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMay } from '../../platform/session.tsx'
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
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {t('save')}
        </Button>
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
