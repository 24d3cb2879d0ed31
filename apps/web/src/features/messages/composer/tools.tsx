import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconMapPin, IconPaperclip, IconUserShare } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { EmojiButton } from '../../../ui/emoji-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { soon } from '../../../ui/soon.tsx'
import { useComposeText } from './composer.text.ts'
import { accepted } from './files.ts'

const SendPlaceDialog = soon(() => import('./send-place.dialog.tsx'))
const SendContactsDialog = soon(() => import('./send-contacts.dialog.tsx'))

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
      <EmojiButton label={t('emoji')} onEmoji={onEmoji} onClosed={onClosed} />
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
      {dialog === 'place' && (
        <SendPlaceDialog ticket={ticket} quoted={quoted} onSent={onQuoteDone} onClose={close} />
      )}
      {dialog === 'contacts' && (
        <SendContactsDialog ticket={ticket} quoted={quoted} onSent={onQuoteDone} onClose={close} />
      )}
    </>
  )
}
