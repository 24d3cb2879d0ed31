import type { Campaign } from '@balcao/contract/campaignShapes.ts'
import { mayManageCampaign } from '@balcao/contract/campaigns.rules.ts'
import { Button } from '@mantine/core'
import {
  IconCopy,
  IconListDetails,
  IconPencil,
  IconPlus,
  IconSettings,
  IconSpeakerphone,
  IconTrash,
  IconUserOff,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link, Navigate } from 'react-router'
import { useUser, useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { OptOutsDialog } from '../optOuts/opt-outs.dialog.tsx'
import { CampaignState } from './campaign-state.tsx'
import { campaignList, removeCampaign } from './campaigns.api.ts'
import { useCampaignMenuText } from './campaigns.menu.text.ts'
import classes from './campaigns.module.css'
import { useCampaignText } from './campaigns.text.ts'

const PATH = '/Campaigns'

/** The campaigns of a company that has them. */
export default function CampaignsScreen() {
  return useUser().company.enableCampaigns ? <Campaigns /> : <Navigate to="/tickets" replace />
}

function Campaigns() {
  const t = useCampaignText()
  const title = useCampaignMenuText()('campaigns')
  const goTo = useGoTo()
  const list = useList(campaignList)
  const [isOptingOut, setOptingOut] = useState(false)
  const [removing, setRemoving] = useState<Campaign | null>(null)
  return (
    <ListScreen
      path={PATH}
      title={title}
      list={list}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconUserOff size={16} />}
            onClick={() => setOptingOut(true)}
          >
            {t('optedOut')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconSettings size={16} />}
            onClick={() => goTo('/CampaignSetups')}
          >
            {t('toSetups')}
          </Button>
          <Button leftSection={<IconPlus size={16} />} onClick={() => goTo('/CampaignsCreator')}>
            {t('add')}
          </Button>
        </>
      }
    >
      <ListTable
        label={title}
        columns={columnsOf(t, setRemoving)}
        list={list}
        mark={one => ({ 'data-campaign': String(one.id) })}
        icon={IconSpeakerphone}
        none={t('none')}
        hint={t('noneHint')}
      />
      {isOptingOut && <OptOutsDialog onClose={() => setOptingOut(false)} />}
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={() => removeCampaign(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}

const columnsOf = (
  t: ReturnType<typeof useCampaignText>,
  onRemove: (campaign: Campaign) => void,
): Column<Campaign>[] => [
  {
    key: 'name',
    head: t('name'),
    kind: 'name',
    cell: one => (
      <Link className={classes.name} to={`/CampaignsManager/${one.id}`}>
        {one.name}
      </Link>
    ),
  },
  { key: 'setup', head: t('setup'), kind: 'name', cell: one => one.campaignSetup?.name ?? t('lostSetup') },
  { key: 'status', head: t('status'), cell: one => <CampaignState status={one.status} /> },
  { key: 'schedule', head: t('schedule'), cell: one => shown(one.schedule) },
  { key: 'initialized', head: t('initialized'), cell: one => shown(one.initialized) },
  { key: 'finalized', head: t('finalized'), cell: one => shown(one.finalized) },
  {
    key: 'actions',
    head: '',
    kind: 'actions',
    cell: one => <Actions campaign={one} onRemove={() => onRemove(one)} />,
  },
]

const shown = (at: string | null) => at && clock(at).format('L LT')

/** Users who neither administer nor own the campaign may only copy it (CAMP-061). */
function Actions({ campaign, onRemove }: { campaign: Campaign; onRemove(): void }) {
  const t = useCampaignText()
  const goTo = useGoTo()
  const { id, name } = campaign
  const may = mayManageCampaign(useViewer(), campaign)
  const go = (path: string) => () => goTo(path)
  return (
    <>
      <IconButton label={t('manageNamed', { name })} onClick={go(`/CampaignsManager/${id}`)}>
        <IconListDetails size={18} stroke={1.75} />
      </IconButton>
      {may && campaign.status !== 'finalized' && (
        <IconButton label={t('editNamed', { name })} onClick={go(`/CampaignsCreator/${id}`)}>
          <IconPencil size={18} stroke={1.75} />
        </IconButton>
      )}
      <IconButton label={t('copyNamed', { name })} onClick={go(`/CampaignsCreator?copy=${id}`)}>
        <IconCopy size={18} stroke={1.75} />
      </IconButton>
      {may && (
        <IconButton label={t('removeNamed', { name })} onClick={onRemove}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      )}
    </>
  )
}
