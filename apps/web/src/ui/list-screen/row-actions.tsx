import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { IconButton } from '../icon-button.tsx'
import { useListText } from './list-screen.text.ts'

interface Props {
  /** What the row is called, for screen readers. */
  name: string
  /** Where its dialog opens, or what opens it. */
  edit: string | (() => void)
  /** Left out where the row is not to be deleted. */
  onRemove?: (() => void) | undefined
}

/** What may be done with any row: change it, delete it. */
export function RowActions({ name, edit, onRemove }: Props) {
  const t = useListText()
  const navigate = useNavigate()
  return (
    <>
      <IconButton
        label={t('editNamed', { name })}
        onClick={() => (typeof edit === 'string' ? void navigate(edit) : edit())}
      >
        <IconPencil size={18} stroke={1.75} />
      </IconButton>
      {onRemove && (
        <IconButton label={t('removeNamed', { name })} onClick={onRemove}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      )}
    </>
  )
}
