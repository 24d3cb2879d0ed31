import { FAILED, mayForward, mayRewrite } from '@balcao/contract/messages.rules.ts'
import { type Message, PIN_SPANS } from '@balcao/contract/messages.ts'
import { Menu, Popover } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCheckbox,
  IconCopy,
  IconDownload,
  IconHistory,
  IconMoodPlus,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../../platform/notify.tsx'
import { useViewer } from '../../../platform/session.tsx'
import { visiting } from '../../../platform/visit.ts'
import { soon } from '../../../ui/soon.tsx'
import { saveFile } from '../../media/file.tsx'
import { useMessageText } from '../messages.text.ts'
import type { BubbleTools } from '../thread/bubble.tsx'
import { useNoteText } from './actions.notes.text.ts'
import { usePinText } from './actions.pins.text.ts'
import { pinMessage, pinsOptions } from './actions.pins.ts'
import { useForwardText } from './actions.text.ts'
import classes from './menu.module.css'
import { mayEdit } from './operations.ts'

const EmojiPicker = soon(() => import('../../../ui/emoji-picker.tsx'), {
  instead: <div style={{ height: 320 }} />,
})

/** The six that WhatsApp offers first. */
const QUICK = ['👍', '❤️', '😂', '😮', '😢', '🙏']

export interface Shown {
  what: 'menu' | 'signs'
  message: Message
  anchor: HTMLElement
}

interface Props {
  ticketId: number
  shown: Shown
  tools: BubbleTools
  onEdit(message: Message): void
  onRemove(message: Message): void
  onVersions(message: Message): void
  onForward(message: Message): void
  onSelect(message: Message): void
  onClose(): void
}

/** Menu of a message: mounted once per conversation, positioned at the message's button. */
export default function MessageMenu(props: Props) {
  const { shown, tools, onClose } = props
  const [page, setPage] = useState<'actions' | 'signs' | 'pin'>(shown.what === 'signs' ? 'signs' : 'actions')
  const close = () => {
    onClose()
    shown.anchor.focus({ preventScroll: true })
  }
  if (page === 'signs') return <Signs shown={shown} tools={tools} onClose={close} />
  if (page === 'pin') return <PinSpans shown={shown} onClose={close} />
  return (
    <MenuActions {...props} onClose={close} onSigns={() => setPage('signs')} onPin={() => setPage('pin')} />
  )
}

function MenuActions(props: Props & { onSigns(): void; onPin(): void }) {
  const { shown, tools, onEdit, onRemove, onVersions, onForward, onSelect, onClose, onSigns } = props
  const t = useMessageText()
  const f = useForwardText()
  const n = useNoteText()
  const { message } = shown
  const viewer = useViewer()
  const answers = tools.open && !message.isDeleted && !message.isPrivate
  const name = message.media?.name || f('document')
  const mayRemove =
    mayRewrite(viewer, { ...message, userId: message.user?.id }) &&
    !message.isDeleted &&
    message.ack !== FAILED
  return (
    <Menu opened onClose={onClose} position="bottom-start" returnFocus={false} withinPortal>
      <Menu.Target>
        <Spot anchor={shown.anchor} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('messageActions')}>
        {answers && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={() => tools.reply(message)}>
            {t('reply')}
          </Menu.Item>
        )}
        {answers && (
          <Menu.Item closeMenuOnClick={false} leftSection={<IconMoodPlus size={16} />} onClick={onSigns}>
            {t('react')}
          </Menu.Item>
        )}
        {answers && <PinItem {...props} />}
        <Menu.Item
          disabled={!message.body}
          leftSection={<IconCopy size={16} />}
          onClick={() => void navigator.clipboard.writeText(message.body)}
        >
          {t('copy')}
        </Menu.Item>
        {mayForward(message) && !visiting.now() && (
          <>
            <Menu.Item leftSection={<IconArrowForwardUp size={16} />} onClick={() => onForward(message)}>
              {f('forward')}
            </Menu.Item>
            <Menu.Item leftSection={<IconCheckbox size={16} />} onClick={() => onSelect(message)}>
              {f('select')}
            </Menu.Item>
          </>
        )}
        {message.media?.state === 'ready' && !message.isDeleted && (
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => void saveFile(message, name)}>
            {f('download', { name })}
          </Menu.Item>
        )}
        {mayEdit(viewer, message) && (tools.open || message.isPrivate) && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onEdit(message)}>
            {t('edit')}
          </Menu.Item>
        )}
        {(message.editedAt || message.isDeleted) && (
          <Menu.Item leftSection={<IconHistory size={16} />} onClick={() => onVersions(message)}>
            {t(message.isDeleted ? 'deletedBy' : 'versions')}
          </Menu.Item>
        )}
        {mayRemove && (
          <Menu.Item
            color="var(--error)"
            leftSection={<IconTrash size={16} />}
            onClick={() => onRemove(message)}
          >
            {message.isPrivate ? n('deleteNote') : t('deleteForAll')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Pins, or takes the pin off; on the official API it says why it cannot. */
function PinItem({ ticketId, shown, onPin }: Pick<Props, 'ticketId' | 'shown'> & { onPin(): void }) {
  const t = usePinText()
  const { data } = useQuery(pinsOptions(ticketId))
  const { message } = shown
  if (!data || message.ack === FAILED || message.version === 0) return null
  if (!data.mayPin)
    return (
      <Menu.Item disabled leftSection={<IconPin size={16} />}>
        {t('pin')}
        <small className={classes.why}>{t('notHere')}</small>
      </Menu.Item>
    )
  if (!data.pins.some(({ id }) => id === message.id))
    return (
      <Menu.Item closeMenuOnClick={false} leftSection={<IconPin size={16} />} onClick={onPin}>
        {t('pin')}
      </Menu.Item>
    )
  return (
    <Menu.Item
      leftSection={<IconPinnedOff size={16} />}
      onClick={() => void pinMessage(message, null).catch(notify.failed)}
    >
      {t('unpin')}
    </Menu.Item>
  )
}

function PinSpans({ shown, onClose }: Pick<Props, 'shown' | 'onClose'>) {
  const t = usePinText()
  return (
    <Menu opened onClose={onClose} position="bottom-start" returnFocus={false} withinPortal>
      <Menu.Target>
        <Spot anchor={shown.anchor} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('pinFor')}>
        <Menu.Label>{t('pinFor')}</Menu.Label>
        {PIN_SPANS.map(span => (
          <Menu.Item key={span} onClick={() => void pinMessage(shown.message, span).catch(notify.failed)}>
            {t(span)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Signs({ shown, tools, onClose }: Pick<Props, 'shown' | 'tools' | 'onClose'>) {
  const t = useMessageText()
  const [all, setAll] = useState(false)
  const mine = shown.message.reactions.find(({ fromMe }) => fromMe)?.emoji
  const choose = (emoji: string) => {
    tools.react(shown.message, emoji)
    onClose()
  }
  return (
    <Popover opened onChange={open => !open && onClose()} position="top" trapFocus returnFocus={false}>
      <Popover.Target>
        <Spot anchor={shown.anchor} />
      </Popover.Target>
      <Popover.Dropdown className={classes.signs} aria-label={t('react')}>
        {all ? (
          <EmojiPicker onPick={choose} />
        ) : (
          <div className={classes.quick}>
            {[...new Set(mine ? [...QUICK, mine] : QUICK)].map(emoji => (
              <button
                key={emoji}
                type="button"
                aria-label={emoji}
                aria-pressed={emoji === mine}
                onClick={() => choose(emoji)}
              >
                {emoji}
              </button>
            ))}
            <button
              type="button"
              aria-label={t('moreSigns')}
              title={t('moreSigns')}
              onClick={() => setAll(true)}
            >
              <IconPlus size={18} aria-hidden />
            </button>
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** An invisible anchor over the button that opened the menu: the button itself may be unmounted. */
function Spot({ anchor, ref }: { anchor: HTMLElement; ref?: React.Ref<HTMLSpanElement> }) {
  const [{ left, top, width, height }] = useState(() => anchor.getBoundingClientRect())
  return <span ref={ref} style={{ position: 'fixed', left, top, width, height, pointerEvents: 'none' }} />
}
