import type { Right } from '@balcao/contract/permissions.rules.ts'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMay } from '../../platform/session.tsx'
import { useGoTo } from '../go-to.ts'
import { IconButton } from '../icon-button.tsx'
import { useListText } from './list-screen.text.ts'

interface Props {
  /** What the row is called, for screen readers. */
  name: string
  /** Where its dialog opens, or what opens it. */
  edit: string | (() => void)
  /** Omitted where the row cannot be deleted. */
  onRemove?: (() => void) | undefined
  /** Why the viewer may not delete it: shown instead of the button. */
  whyNot?: string | undefined
}

/** What may be done with any row: change it, delete it. */
export function RowActions({ name, edit, onRemove, whyNot }: Props) {
  const t = useListText()
  const goTo = useGoTo()
  return (
    <>
      <IconButton
        label={t('editNamed', { name })}
        onClick={() => (typeof edit === 'string' ? goTo(edit) : edit())}
      >
        <IconPencil size={18} stroke={1.75} />
      </IconButton>
      {(onRemove || whyNot) && (
        <IconButton
          label={whyNot ?? t('removeNamed', { name })}
          disabled={Boolean(whyNot)}
          onClick={onRemove}
        >
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      )}
    </>
  )
}

/** Why the viewer may not delete rows; undefined with the right. */
export function useWhyNot(right: Right): string | undefined {
  const t = useListText()
  return useMay(right) ? undefined : t('removeByRight')
}
