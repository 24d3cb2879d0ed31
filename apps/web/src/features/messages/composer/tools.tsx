import type { Ticket } from '@balcao/contract/tickets.ts'
import { Menu } from '@mantine/core'
import {
  IconBolt,
  IconChartBar,
  IconMapPin,
  IconPaperclip,
  IconPlus,
  IconRoute,
  IconUserShare,
} from '@tabler/icons-react'
import { type ComponentType, useRef, useState } from 'react'
import { useUser } from '../../../platform/session.tsx'
import { EmojiButton } from '../../../ui/emoji-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { soon } from '../../../ui/soon.tsx'
import { usePlayText } from '../../flows/flows.play.text.ts'
import { accepted } from '../../media/files.ts'
import { useSuggestText } from '../../quickAnswers/quickAnswers.suggest.text.ts'
import classes from './composer.module.css'
import { useComposeText } from './composer.text.ts'
import { hold, useHeld } from './held.ts'
import { SignItem } from './sign.tsx'

const SendPlaceDialog = soon(() => import('./send-place.dialog.tsx'))
const SendContactsDialog = soon(() => import('./send-contacts.dialog.tsx'))
const SendPollDialog = soon(() => import('./send-poll.dialog.tsx'))

interface Props {
  ticket: Ticket
  body: string
  onFiles(files: File[]): void
  onEmoji(emoji: string): void
  onPick(text: string): void
  onClosed(): void
}

interface Tool {
  label: string
  icon: ComponentType<{ size: number; stroke: number }>
  act(): void
  shortcut?: string
  on?: boolean
  disabled?: boolean
}

/** Content of a message besides text: in a row, or behind one button where there is no room for it. */
export function ComposerTools({ ticket, body, onFiles, onEmoji, onPick, onClosed }: Props) {
  const t = useComposeText()
  const quick = useSuggestText()
  const play = usePlayText()
  const picker = useRef<HTMLInputElement>(null)
  const [dialog, setDialog] = useState<'place' | 'contacts' | 'poll' | null>(null)
  const { quoted } = useHeld(ticket.id)
  const { enableFlows } = useUser().company
  /** Typing the sign does the same. */
  const suggests = (sign: string) => ({
    shortcut: sign,
    on: body.startsWith(sign),
    disabled: !body.startsWith(sign) && body !== '',
    act: () => onPick(body.startsWith(sign) ? '' : sign),
  })
  const tools: Tool[] = [
    { label: t('attach'), icon: IconPaperclip, act: () => picker.current?.click() },
    { label: t('place'), icon: IconMapPin, act: () => setDialog('place') },
    { label: t('contact'), icon: IconUserShare, act: () => setDialog('contacts') },
    { label: t('poll'), icon: IconChartBar, act: () => setDialog('poll') },
    { label: quick('quickAnswers'), icon: IconBolt, ...suggests('/') },
    ...(enableFlows ? [{ label: play('flows'), icon: IconRoute, ...suggests(';') }] : []),
  ]
  const known = {
    ticket,
    quoted,
    onSent: () => hold(ticket.id, { quoted: null }),
    onClose: () => setDialog(null),
  }
  return (
    <>
      <span className={classes.folded}>
        <Folded tools={tools} />
      </span>
      <EmojiButton label={t('emoji')} onEmoji={onEmoji} onClosed={onClosed} />
      <span className={classes.row}>
        {tools.map(({ icon: Icon, act, ...tool }) => (
          <IconButton key={tool.label} {...tool} onClick={act}>
            <Icon size={19} stroke={1.75} />
          </IconButton>
        ))}
      </span>
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
      {dialog === 'place' && <SendPlaceDialog {...known} />}
      {dialog === 'contacts' && <SendContactsDialog {...known} />}
      {dialog === 'poll' && <SendPollDialog {...known} />}
    </>
  )
}

function Folded({ tools }: { tools: Tool[] }) {
  const t = useComposeText()
  return (
    <Menu position="top-start" returnFocus={false}>
      <Menu.Target>
        <IconButton label={t('more')} aria-haspopup="menu">
          <IconPlus size={20} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {tools.map(({ label, icon: Icon, act, shortcut, disabled = false }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={16} stroke={2} />}
            rightSection={shortcut}
            disabled={disabled}
            onClick={act}
          >
            {label}
          </Menu.Item>
        ))}
        <SignItem />
      </Menu.Dropdown>
    </Menu>
  )
}
