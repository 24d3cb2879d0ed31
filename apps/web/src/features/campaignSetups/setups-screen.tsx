import type { CampaignSetup } from '@balcao/contract/campaignSetups.ts'
import { mayManageCampaign } from '@balcao/contract/campaigns.rules.ts'
import { IconCopy, IconKey, IconSpeakerphone } from '@tabler/icons-react'
import { useState } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { notify } from '../../platform/notify.tsx'
import { useUser, useViewer } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { removeSetup, setupList } from './campaignSetups.api.ts'
import { useSetupMenuText } from './campaignSetups.menu.text.ts'
import classes from './campaignSetups.module.css'
import { useSetupText } from './campaignSetups.text.ts'
import { SetupDialog } from './setup.dialog.tsx'

const PATH = '/CampaignSetups'

/** How campaigns are sent: `/CampaignSetups/new`, `/CampaignSetups/{id}` and `?copy={id}` open the dialog. */
export default function SetupsScreen() {
  return useUser().company.enableCampaigns ? <Setups /> : <Navigate to="/tickets" replace />
}

function Setups() {
  const t = useSetupText()
  const title = useSetupMenuText()('setups')
  const goTo = useGoTo()
  const list = useList(setupList)
  const [removing, setRemoving] = useState<CampaignSetup | null>(null)
  return (
    <ListScreen
      path={PATH}
      title={title}
      list={list}
      back={{ path: '/Campaigns', label: t('toCampaigns') }}
      add={t('add')}
    >
      <ListTable
        label={title}
        columns={columnsOf(t, setRemoving)}
        list={list}
        icon={IconSpeakerphone}
        none={t('none')}
        hint={t('noneHint')}
      />
      <Opened onClose={() => goTo(PATH, { replace: true })} />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={() => removeSetup(removing.handle)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}

const columnsOf = (
  t: ReturnType<typeof useSetupText>,
  onRemove: (setup: CampaignSetup) => void,
): Column<CampaignSetup>[] => [
  { key: 'token', head: t('token'), cell: one => <Token setup={one} /> },
  {
    key: 'name',
    head: t('name'),
    kind: 'name',
    cell: one => <span className={classes.name}>{one.name}</span>,
  },
  { key: 'queue', head: t('queue'), cell: one => one.queue?.name },
  {
    key: 'connections',
    head: t('connections'),
    kind: 'name',
    cell: one => one.whatsapps.map(({ name }) => name).join(', '),
  },
  { key: 'user', head: t('user'), cell: one => one.user?.name },
  { key: 'start', head: t('startMode'), cell: one => t(one.autoStart ? 'auto' : 'manual') },
  { key: 'times', head: t('times'), cell: one => `${one.tMax} | ${one.tMin} | ${one.interval}` },
  {
    key: 'actions',
    head: '',
    kind: 'actions',
    cell: one => <Actions setup={one} onRemove={() => onRemove(one)} />,
  },
]

/** The id of a setup is its token, too long to be read in a list; others than admins and the owner have none to copy. */
function Token({ setup }: { setup: CampaignSetup }) {
  const t = useSetupText()
  const { id, name } = setup
  if (!mayManageCampaign(useViewer(), setup)) return <span title={t('tokenHidden')}>•••</span>
  const copy = () =>
    navigator.clipboard.writeText(id).then(() => notify.done(t('tokenCopied')), notify.failed)
  return (
    <span className={classes.token}>
      <code title={id}>{id.slice(0, 8)}…</code>
      <IconButton label={t('copyToken', { name })} onClick={() => void copy()}>
        <IconKey size={16} stroke={1.75} />
      </IconButton>
    </span>
  )
}

/** Users who neither administer nor own the setup may only copy it (CSETUP-020). */
function Actions({ setup, onRemove }: { setup: CampaignSetup; onRemove(): void }) {
  const t = useSetupText()
  const goTo = useGoTo()
  const may = mayManageCampaign(useViewer(), setup)
  const { handle, name } = setup
  return (
    <>
      <IconButton label={t('copyNamed', { name })} onClick={() => goTo(`${PATH}/new?copy=${handle}`)}>
        <IconCopy size={18} stroke={1.75} />
      </IconButton>
      {may && <RowActions name={name} edit={`${PATH}/${handle}`} onRemove={onRemove} />}
    </>
  )
}

/** The dialog that the address names. */
function Opened({ onClose }: { onClose(): void }) {
  const { id } = useParams()
  const [query] = useSearchParams()
  if (!id) return null
  const copyOf = id === 'new' ? query.get('copy') : null
  return (
    <SetupDialog
      key={`${id} ${copyOf}`}
      setupId={id === 'new' ? null : id}
      copyOf={copyOf}
      onClose={onClose}
    />
  )
}
