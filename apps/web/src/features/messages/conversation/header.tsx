import { may } from '@balcao/contract/permissions.rules.ts'
import { UNSET_QUEUE_COLOR } from '@balcao/contract/queues.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconCalendarPlus,
  IconCheck,
  IconCopy,
  IconDeviceMobile,
  IconDotsVertical,
  IconFileSpreadsheet,
  IconFileTypePdf,
  IconLayoutSidebarRight,
  IconMessageCheck,
  IconRefresh,
  IconSearch,
  IconTransfer,
  IconTrash,
} from '@tabler/icons-react'
import { notify } from '../../../platform/notify.tsx'
import { phoneText } from '../../../platform/phone.ts'
import { useViewer } from '../../../platform/session.tsx'
import { keysText, useShortcuts } from '../../../platform/shortcuts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { soon } from '../../../ui/soon.tsx'
import { Faces } from '../../presence/faces.tsx'
import { useToList } from '../../tickets/place.ts'
import { NextTarget } from '../../tickets/target-clock.tsx'
import type { useTicketActions } from '../../tickets/ticket-actions.tsx'
import { SignItem } from '../composer/sign.tsx'
import type { useContactDrawer } from '../drawer/contact-drawer.tsx'
import { useMessageText } from '../messages.text.ts'
import { useTyping } from '../messages.typing.ts'
import classes from './conversation.module.css'
import { TagStrip } from './tag-strip.tsx'
import { WindowLeft } from './window-left.tsx'

const OpenTicketMarks = soon(() => import('../../tickets/ticket-marks.tsx'))
const MarkItems = soon(() => import('../../tickets/mark-items.tsx'))
const ShareItem = soon(() => import('../../chat/share-item.tsx'))
const WhyWaits = soon(() => import('../../assignment/why-waits.tsx'))

type Actions = ReturnType<typeof useTicketActions>

const statusText = { open: 'assigned', pending: 'pending', closed: 'resolved' } as const

interface ConversationHeaderProps {
  ticket: Ticket
  actions: Actions
  drawer: ReturnType<typeof useContactDrawer>
  searching: boolean
  onSearch(): void
}

/** The customer, the state of the ticket, and the one primary action. */
export function ConversationHeader({
  ticket,
  actions,
  drawer,
  searching,
  onSearch,
}: ConversationHeaderProps) {
  const t = useMessageText()
  const typing = useTyping(ticket.id)
  const toList = useToList()
  const onePane = useMediaQuery('(max-width: 899px)', undefined, { getInitialValueInEffect: false })
  // beside the list it is below the heading of the screen; alone it is the screen's
  const Name = onePane ? 'h1' : 'h2'
  return (
    <>
      <header className={classes.header}>
        {onePane && (
          <IconButton label={t('toList')} onClick={toList}>
            <IconArrowLeft size={20} stroke={1.75} />
          </IconButton>
        )}
        <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} />
        <div className={classes.who}>
          <Name className={classes.name}>
            <button
              type="button"
              className={`${classes.open} one-line`}
              aria-expanded={drawer.isOpen}
              title={t('contact')}
              onClick={drawer.toggle}
            >
              {phoneText(ticket.contact.name)}
            </button>
          </Name>
          <div className={classes.facts}>
            <span className={classes.state} data-status={ticket.status}>
              {t(statusText[ticket.status])}
            </span>
            {typing && typing !== 'paused' ? (
              <span className={`${classes.typing} one-line`} role="status">
                · {t(typing)}
              </span>
            ) : (
              ticket.user && <span className="one-line">· {ticket.user.name}</span>
            )}
            <Protocol protocol={ticket.protocol} />
          </div>
        </div>
        <Faces of={ticket.id} />
        <span className={classes.secondary}>
          <IconButton label={t('search')} on={searching} onClick={onSearch}>
            <IconSearch size={19} stroke={1.75} />
          </IconButton>
        </span>
        <Actions ticket={ticket} actions={actions} drawer={drawer} onSearch={onSearch} />
        <span className={classes.secondary}>
          <IconButton label={t('contact')} shortcut="Alt+C" on={drawer.isOpen} onClick={drawer.toggle}>
            <IconLayoutSidebarRight size={19} stroke={1.75} />
          </IconButton>
        </span>
      </header>
      <div className={classes.strip}>
        <CustomerNumber contact={ticket.contact} />
        <Chip label={ticket.queue?.name ?? t('noQueue')} color={ticket.queue?.color ?? UNSET_QUEUE_COLOR} />
        {ticket.whatsapp && (
          <span className={classes.connection}>
            <IconDeviceMobile size={15} stroke={2} aria-hidden />
            <span className="one-line">{ticket.whatsapp.name}</span>
          </span>
        )}
        <OpenTicketMarks ticket={ticket} />
        <WindowLeft ticket={ticket} />
        {ticket.status === 'pending' && <WhyWaits ticket={ticket} />}
        <NextTarget targets={ticket.targets} />
        <TagStrip ticket={ticket} />
      </div>
    </>
  )
}

/** The username of who hides the number; nothing while only an id of WhatsApp is known. */
function CustomerNumber({ contact: { number, username } }: { contact: Ticket['contact'] }) {
  const t = useMessageText()
  if (!number) return username ? <span className={classes.number}>@{username}</span> : null
  return (
    <span className={classes.number} title={t('number')}>
      <span className="sr-only">{t('number')}</span> {phoneText(number)}
    </span>
  )
}

function Protocol({ protocol }: { protocol: string }) {
  const t = useMessageText()
  const copy = () => navigator.clipboard.writeText(protocol).then(() => notify.done(t('copied')))
  return (
    <button
      type="button"
      className={classes.protocol}
      onClick={() => void copy()}
      aria-label={t('copyProtocol', { protocol })}
    >
      · <span className="mono">{protocol}</span>
      <IconCopy size={13} stroke={2} aria-hidden />
    </button>
  )
}

function Actions({ ticket, actions, drawer, onSearch }: Omit<ConversationHeaderProps, 'searching'>) {
  const t = useMessageText()
  const viewer = useViewer()
  const { status } = ticket
  const admin = may(viewer, 'tickets:resolveMany')
  const mayRemove = may(viewer, 'ticket-options:deleteTicket')
  useShortcuts({
    'alt+n': status === 'pending' && actions.accept,
    'alt+1': status === 'open' && actions.resolve,
    'alt+2': status === 'open' && actions.giveBack,
    'alt+3': status !== 'closed' && actions.transfer,
    'alt+4': mayRemove && actions.remove,
    'alt+5': actions.schedule,
    'alt+t': status === 'closed' && actions.reopen,
    'alt+c': drawer.toggle,
  })
  return (
    <>
      {status === 'open' && (
        <span className={classes.secondary}>
          <IconButton label={t('returnIt')} shortcut="Alt+2" onClick={actions.giveBack}>
            <IconArrowBackUp size={19} stroke={1.75} />
          </IconButton>
        </span>
      )}
      {status !== 'closed' && (
        <span className={classes.secondary}>
          <IconButton label={t('transfer')} shortcut="Alt+3" onClick={actions.transfer}>
            <IconTransfer size={19} stroke={1.75} />
          </IconButton>
        </span>
      )}
      {status === 'pending' && (
        <Button
          leftSection={<IconMessageCheck size={17} />}
          onClick={actions.accept}
          title={keysText('Alt+N')}
        >
          {t('accept')}
        </Button>
      )}
      {status === 'open' && (
        <Button leftSection={<IconCheck size={17} />} onClick={actions.resolve} title={keysText('Alt+1')}>
          {t('resolve')}
        </Button>
      )}
      {status === 'closed' && (
        <Button leftSection={<IconRefresh size={17} />} onClick={actions.reopen} title={keysText('Alt+T')}>
          {t('reopen')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={t('more')} aria-haspopup="menu">
            <IconDotsVertical size={19} stroke={1.75} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconLayoutSidebarRight size={16} />} onClick={drawer.toggle}>
            {t('contact')}
          </Menu.Item>
          <Menu.Item leftSection={<IconSearch size={16} />} onClick={onSearch}>
            {t('search')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() => void navigator.clipboard.writeText(ticket.protocol)}
          >
            {t('copyProtocol', { protocol: ticket.protocol })}
          </Menu.Item>
          {status === 'open' && (
            <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={actions.giveBack}>
              {t('returnIt')}
            </Menu.Item>
          )}
          {status !== 'closed' && (
            <Menu.Item leftSection={<IconTransfer size={16} />} onClick={actions.transfer}>
              {t('transfer')}
            </Menu.Item>
          )}
          {status === 'pending' && admin && (
            <Menu.Item leftSection={<IconCheck size={16} />} onClick={actions.resolve}>
              {t('resolve')}
            </Menu.Item>
          )}
          <MarkItems ticket={ticket} />
          <ShareItem ticket={ticket} />
          <Menu.Item leftSection={<IconCalendarPlus size={16} />} onClick={actions.schedule}>
            {t('schedule')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileTypePdf size={16} />} onClick={actions.transcribe}>
            {t('transcribe')}
          </Menu.Item>
          {may(viewer, 'tickets:export') && (
            <Menu.Item leftSection={<IconFileSpreadsheet size={16} />} onClick={actions.exportIt}>
              {t('exportIt')}
            </Menu.Item>
          )}
          <SignItem />
          {mayRemove && (
            <Menu.Item leftSection={<IconTrash size={16} />} color="var(--error)" onClick={actions.remove}>
              {t('remove')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
