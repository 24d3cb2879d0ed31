import type { Ticket } from '@balcao/contract/tickets.ts'
import { Popover } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { keysText, useShortcuts } from '../../platform/shortcuts.ts'
import { soon } from '../../ui/soon.tsx'
import classes from './tag-editor.module.css'
import { useTagEditorText } from './tags.editor.text.ts'

const TagsOfTicket = soon(() => import('./tags-of-ticket.tsx'))

/** Opens the tags of a ticket: which it has, and new ones. `keys`: by its shortcut too. */
export function TagEditor({ ticket, keys = false }: { ticket: Ticket; keys?: boolean }) {
  const t = useTagEditorText()
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ 'alt+g': keys && (() => setOpen(true)) })
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.add}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          data-hint={keys ? `${t('tagsOf')} (${keysText('Alt+G')})` : t('tagsOf')}
          onClick={() => setOpen(!isOpen)}
        >
          <IconPlus size={15} stroke={2} aria-hidden />
          <span className={classes.word}>{t('tag')}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('tagsOf')}>
        <TagsOfTicket ticket={ticket} />
      </Popover.Dropdown>
    </Popover>
  )
}
