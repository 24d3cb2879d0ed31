import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Popover } from '@mantine/core'
import { IconMapPin, IconMoodSmile, IconPaperclip, IconUserShare } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useComposeText } from './composer.text.ts'
import { accepted } from './files.ts'

const EmojiPicker = lazy(() => import('../../../ui/emoji-picker.tsx'))
const SendPlaceDialog = lazy(() => import('./send-place.dialog.tsx'))
const SendContactsDialog = lazy(() => import('./send-contacts.dialog.tsx'))

interface Props {
  ticket: Ticket
  quoted: Message | null
  onQuoteDone(): void
  onFiles(files: File[]): void
  onEmoji(emoji: string): void
  onClosed(): void
}

/** What goes into a message beside words. */
export function ComposerTools({ ticket, quoted, onQuoteDone, onFiles, onEmoji, onClosed }: Props) {
  const t = useComposeText()
  const picker = useRef<HTMLInputElement>(null)
  const [dialog, setDialog] = useState<'place' | 'contacts' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <Emojis onEmoji={onEmoji} onClosed={onClosed} />
      <IconButton label={t('attach')} onClick={() => picker.current?.click()}>
        <IconPaperclip size={19} stroke={1.75} />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={accepted}
        data-attach
        onChange={event => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <IconButton label={t('place')} onClick={() => setDialog('place')}>
        <IconMapPin size={19} stroke={1.75} />
      </IconButton>
      <IconButton label={t('contact')} onClick={() => setDialog('contacts')}>
        <IconUserShare size={19} stroke={1.75} />
      </IconButton>
      <Suspense>
        {dialog === 'place' && (
          <SendPlaceDialog ticket={ticket} quoted={quoted} onSent={onQuoteDone} onClose={close} />
        )}
        {dialog === 'contacts' && (
          <SendContactsDialog ticket={ticket} quoted={quoted} onSent={onQuoteDone} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

function Emojis({ onEmoji, onClosed }: Pick<Props, 'onEmoji' | 'onClosed'>) {
  const t = useComposeText()
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    onClosed()
  }
  return (
    <Popover
      opened={open}
      onChange={now => !now && close()}
      position="top-start"
      trapFocus
      returnFocus={false}
      withinPortal
    >
      <Popover.Target>
        <IconButton
          label={t('emoji')}
          on={open}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => (open ? close() : setOpen(true))}
        >
          <IconMoodSmile size={19} stroke={1.75} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={t('emoji')}>
        <Suspense fallback={<div style={{ width: 536, height: 320 }} />}>
          <EmojiPicker onPick={onEmoji} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
