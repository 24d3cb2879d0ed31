import { Menu } from '@mantine/core'
import { IconArrowMerge, IconDotsVertical, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useListText } from '../../ui/list-screen/list-screen.text.ts'
import { useContactText } from './contacts.text.ts'

interface Props {
  name: string
  /** Where its dialog opens. */
  edit: string
  onMerge: (() => void) | undefined
  onExport: (() => void) | undefined
  onRemove: (() => void) | undefined
}

/** What may be done with a contact, where its row has no room for the buttons. */
export function RowMenu({ name, edit, onMerge, onExport, onRemove }: Props) {
  const t = useContactText()
  const l = useListText()
  const goTo = useGoTo()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton label={t('menuOf', { name })} aria-haspopup="menu">
          <IconDotsVertical size={18} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => goTo(edit)}>
          {l('editNamed', { name })}
        </Menu.Item>
        {onMerge && (
          <Menu.Item leftSection={<IconArrowMerge size={16} />} onClick={onMerge}>
            {t('merge', { name })}
          </Menu.Item>
        )}
        {onExport && (
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={onExport}>
            {t('exportData', { name })}
          </Menu.Item>
        )}
        {onRemove && (
          <Menu.Item leftSection={<IconTrash size={16} />} color="var(--error)" onClick={onRemove}>
            {l('removeNamed', { name })}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
