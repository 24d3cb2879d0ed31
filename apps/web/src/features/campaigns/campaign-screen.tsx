import type { Campaign } from '@balcao/contract/campaignShapes.ts'
import { IconInfoCircle, IconPlayerPause } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { errorText } from '../../platform/errors.text.ts'
import { useUser } from '../../platform/session.tsx'
import { Late } from '../../ui/late.tsx'
import { Page } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { ManagerControls } from './campaign-controls.tsx'
import { ConfigPanel, MessagesPanel } from './campaign-panels.tsx'
import { ProgressPanel } from './campaign-progress.tsx'
import { whyStill } from './campaign-state.tsx'
import { oneCampaign } from './campaigns.api.ts'
import { useCampaignMenuText } from './campaigns.menu.text.ts'
import classes from './campaigns.module.css'
import { useCampaignText } from './campaigns.text.ts'
import { DispatchTable } from './dispatch-table.tsx'
import { useCampaignLive } from './use-campaign-live.ts'

/** `/CampaignsManager/17`: one campaign while it runs, and its result. */
export default function ManagerScreen() {
  const { campaignId } = useParams()
  const id = Number(campaignId)
  if (!useUser().company.enableCampaigns) return <Navigate to="/tickets" replace />
  return id > 0 ? <Manager key={id} campaignId={id} /> : <Navigate to="/Campaigns" replace />
}

function Manager({ campaignId }: { campaignId: number }) {
  const t = useCampaignText()
  const title = useCampaignMenuText()('campaigns')
  useCampaignLive(campaignId)
  const { data: campaign, error } = useQuery(oneCampaign(campaignId))
  const back = { path: '/Campaigns', label: t('toList') }
  if (!campaign)
    return (
      <Page title={title} back={back}>
        {error ? (
          <p role="alert">{errorText(error)}</p>
        ) : (
          <Late>
            <p role="status">{t('loading')}</p>
          </Late>
        )}
      </Page>
    )
  return (
    <Page title={campaign.name} back={back} actions={<ManagerControls campaign={campaign} />}>
      <Still campaign={campaign} />
      <div className={classes.panels}>
        <ProgressPanel campaign={campaign} />
        <ConfigPanel campaign={campaign} />
        <MessagesPanel campaign={campaign} />
      </div>
      <DispatchTable campaign={campaign} />
    </Page>
  )
}

/** Why nothing is sent: only the limit that applies. */
function Still({ campaign }: { campaign: Campaign }) {
  const why = whyStill(campaign)
  if (!why) return null
  const isPaused = campaign.status === 'pause'
  return (
    <div className={classes.banners}>
      <Banner
        tone={isPaused ? 'warning' : 'info'}
        icon={isPaused ? <IconPlayerPause size={16} aria-hidden /> : <IconInfoCircle size={16} aria-hidden />}
      >
        {why}
      </Banner>
    </div>
  )
}
