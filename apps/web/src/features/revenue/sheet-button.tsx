import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Decimals } from './revenue.api.ts'
import { useRevenueText } from './revenue.text.ts'

const CHOICES = ['comma', 'point'] as const

/** Downloads a CSV with the chosen decimals. */
export function SheetButton({ save }: { save(decimals: Decimals): Promise<void> }) {
  const t = useRevenueText()
  const [busy, setBusy] = useState(false)
  const begin = (decimals: Decimals) => {
    setBusy(true)
    void save(decimals).finally(() => setBusy(false))
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={busy}>
          {t('download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map(decimals => (
          <Menu.Item key={decimals} onClick={() => begin(decimals)}>
            {t(decimals)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
