import { IconChecks } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { soon } from '../../ui/soon.tsx'
import { useResolveManyText } from './tickets.resolve-many.text.ts'

const ResolveManyDialog = soon(() => import('./resolve-many.dialog.tsx'))

/** Opens the dialog that resolves many tickets at once; for admins. */
export function ResolveManyButton() {
  const t = useResolveManyText()
  const [isOpen, setOpen] = useState(false)
  if (!useMay('tickets:resolveMany')) return null
  return (
    <>
      <IconButton label={t('open')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <IconChecks size={19} stroke={1.75} />
      </IconButton>
      {isOpen && <ResolveManyDialog onClose={() => setOpen(false)} />}
    </>
  )
}
