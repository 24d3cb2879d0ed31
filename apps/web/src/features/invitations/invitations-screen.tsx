import type { Invitation } from '@balcao/contract/invitations.ts'
import { IconMail, IconSend, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { useBranding } from '../../shell/branding.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { wholeList } from '../../ui/list-screen/use-list.ts'
import { Status, type Tone } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { openInvitations } from '../users/users.api.ts'
import { InvitationDialog } from './invitation.dialog.tsx'
import { inviteAgain, withdrawInvitation } from './invitations.api.ts'
import { useInvitationText } from './invitations.text.ts'
import { LinkDialog } from './link.dialog.tsx'

const PATH = '/invitations'

/** Pending invitations. */
export default function InvitationsScreen() {
  const t = useInvitationText()
  const { mail } = useBranding()
  const goTo = useGoTo()
  const { id } = useParams()
  const list = wholeList(useQuery(openInvitations))
  const [link, setLink] = useState<string | null>(null)
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null)
  const again = ({ id: one }: Invitation) =>
    inviteAgain(one).then(made => {
      setLink(made)
      notify.done(t(mail ? 'invited' : 'made'))
    }, notify.failed)
  const columns = useColumns({ again, withdraw: setWithdrawing })
  return (
    <ListScreen
      path={PATH}
      title={t('title')}
      list={list}
      back={{ path: '/users', label: t('users') }}
      add={t('add')}
    >
      <ListTable
        label={t('title')}
        columns={columns}
        list={list}
        icon={IconMail}
        none={t('noInvitations')}
        hint={t('noInvitationsHint')}
      />
      {id === 'new' && <InvitationDialog onInvited={setLink} onClose={() => goTo(PATH, { replace: true })} />}
      {link && id !== 'new' && <LinkDialog link={link} onClose={() => setLink(null)} />}
      {withdrawing && <Withdraw invitation={withdrawing} onClose={() => setWithdrawing(null)} />}
    </ListScreen>
  )
}

interface Acts {
  again(invitation: Invitation): void
  withdraw(invitation: Invitation): void
}

const tones: Record<Invitation['delivery'], Tone> = {
  none: 'neutral',
  waiting: 'info',
  sent: 'success',
  failed: 'error',
}

function useColumns({ again, withdraw }: Acts): Column<Invitation>[] {
  const t = useInvitationText()
  const isOver = ({ expiresAt }: Invitation) => Date.parse(expiresAt) <= Date.now()
  return [
    { key: 'email', head: t('email'), cell: one => (one.name ? `${one.name} · ${one.email}` : one.email) },
    { key: 'profile', head: t('profile'), cell: one => t(one.profile) },
    { key: 'group', head: t('group'), cell: one => one.userAuthorization?.name },
    { key: 'queues', head: t('queues'), cell: one => one.queues.map(({ name }) => name).join(', ') },
    {
      key: 'delivery',
      head: t('delivery'),
      cell: one => <Status tone={tones[one.delivery]}>{t(one.delivery)}</Status>,
    },
    {
      key: 'expires',
      head: t('expires'),
      cell: one =>
        isOver(one) ? <Status tone="warning">{t('over')}</Status> : clock(one.expiresAt).format('L LT'),
    },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <>
          <IconButton label={t('again', { email: one.email })} onClick={() => again(one)}>
            <IconSend size={18} stroke={1.75} />
          </IconButton>
          <IconButton label={t('withdrawNamed', { email: one.email })} onClick={() => withdraw(one)}>
            <IconTrash size={18} stroke={1.75} />
          </IconButton>
        </>
      ),
    },
  ]
}

function Withdraw({ invitation, onClose }: { invitation: Invitation; onClose(): void }) {
  const t = useInvitationText()
  const [busy, setBusy] = useState(false)
  const confirmed = async () => {
    setBusy(true)
    await withdrawInvitation(invitation.id).then(() => notify.done(t('withdrawn')), notify.failed)
    onClose()
  }
  return (
    <Confirm
      title={t('withdrawTitle', { email: invitation.email })}
      confirm={t('withdraw')}
      danger
      busy={busy}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      {t('withdrawHint')}
    </Confirm>
  )
}
