import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { removeSchedules } from './schedules.api.ts'
import { useScheduleText } from './schedules.text.ts'

const own = [
  { what: 'mineSent', mine: true, sent: true },
  { what: 'mineAll', mine: true, sent: false },
] as const
const everybodys = [
  { what: 'allSent', mine: false, sent: true },
  { what: 'allAll', mine: false, sent: false },
] as const
type Choice = (typeof own)[number] | (typeof everybodys)[number]

/** Bulk actions: each is confirmed first. */
export function ScheduleMenu({ onAdd }: { onAdd(): void }) {
  const t = useScheduleText()
  const mayAll = useMay('schedules:all')
  const [asked, setAsked] = useState<Choice | null>(null)
  const choices = [...own, ...(mayAll ? everybodys : [])]
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button rightSection={<IconChevronDown size={16} aria-hidden />}>{t('menu')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={onAdd}>
            {t('add')}
          </Menu.Item>
          <Menu.Divider />
          {choices.map(choice => (
            <Menu.Item
              key={choice.what}
              leftSection={<IconTrash size={16} />}
              color="var(--error)"
              onClick={() => setAsked(choice)}
            >
              {t(choice.what)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <RemoveDialog
          title={`${t(asked.what)}?`}
          remove={() => removeSchedules(asked.mine, asked.sent)}
          done={t('removedMany')}
          onClose={() => setAsked(null)}
        >
          {t('noWayBack')}
        </RemoveDialog>
      )}
    </>
  )
}
